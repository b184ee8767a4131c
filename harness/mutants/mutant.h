#pragma once

#include <string>
#include <variant>
#include <vector>

#include "harness/mutants/faults/content_faults.h"
#include "harness/mutants/faults/identity_slips.h"
#include "harness/mutants/faults/misreadings.h"
#include "reference/release/rule_set.h"

namespace nodebound::mutants {

/// A rule that is wrongly off or wrongly on.
struct Flip {
  Rule rule;
  bool on;  ///< the fault puts it in force
};

/// A rule that does not hold for some questions.
struct Loosening {
  enum class Kind {
    unchecked,  ///< if the condition holds, the rule is not checked
    misread,    ///< the rule is checked against another question
    refused,    ///< the rule also refuses whatever meets the condition
  };
  Kind kind;
  std::vector<Rule> rules;  ///< one fault: if one rule wrongly lets a question pass, so do the others
  Condition condition;
  Misreading misreading;
};

/// An edge of the graph that leads to nodes to which it should not lead.
struct GraphFault {
  enum class What {
    after_pod_deletion,
    after_volume_deletion,
    after_object_deletion,  ///< of an object that itself names its node
    after_replacement,      ///< the object was deleted, and another one of its name made
    after_change,
    every_node,
    every_namespace,
  };
  Rule edge;
  What what;
};

/// The Node authorizer or NodeRestriction takes callers for others.
struct WrongIdentity {
  IdentitySlip slip;
  bool authorizer;
};

/// Answers or stored objects have other contents than they should.
struct WrongContent {
  ContentFault fault;
};

/// A faulty implementation: the reference with one fault.
struct Mutant {
  std::string id;
  std::string part;         ///< the affected part of the node rules: the title of the rule's group
  std::string meaning;      ///< its fault, in one line
  std::vector<Rule> rules;  ///< none for wrong contents
  std::variant<Flip, Loosening, GraphFault, WrongIdentity, WrongContent> fault;
};

/// The spelling in `faults.toml` and in the ids of mutants.
std::string_view to_string(GraphFault::What what);
std::string_view meaning_of(GraphFault::What what);
std::string_view to_string(Loosening::Kind kind);

inline constexpr GraphFault::What graph_faults[] = {
    GraphFault::What::after_pod_deletion,    GraphFault::What::after_volume_deletion,
    GraphFault::What::after_object_deletion, GraphFault::What::after_replacement,
    GraphFault::What::after_change,          GraphFault::What::every_node,
    GraphFault::What::every_namespace};

/// Whether it is known which scenarios can catch the mutant: those in which the observer saw it decide otherwise.
bool has_reach(const Mutant& mutant);

/// Whether the mutant can differ from the rules: a rule that it breaks is in force, or the rule that it adds is not.
bool applies(const Mutant& mutant, const RuleSet& rules);

}  // namespace nodebound::mutants
