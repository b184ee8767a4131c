#pragma once

#include <string>
#include <variant>
#include <vector>

#include "harness/mutants/identity_slips.h"
#include "harness/mutants/misreadings.h"
#include "reference/release/rule_set.h"

namespace nodebound {

/// A rule that is not in force where it should be, or the other way.
struct Flip {
  Rule rule;
  bool on;  ///< the fault puts it in force
};

/// A rule that does not hold for some questions.
struct Loosening {
  enum class Kind {
    unchecked,  ///< where the condition holds, the rule is not asked
    misread,    ///< the rule is satisfied with another question
    refused,    ///< the rule refuses where the condition holds, too
  };
  Kind kind;
  std::vector<Rule> rules;  ///< where the fault lets one pass and another of them refuses, that one lets pass, too
  Condition condition;
  Misreading misreading;
};

/// A reference that leads to nodes to which it should not lead.
struct GraphFault {
  enum class What {
    after_pod_deletion,
    after_volume_deletion,
    after_object_deletion,  ///< of an object that names its node itself
    after_replacement,      ///< the object was deleted, and one of its name made anew
    after_change,
    every_node,
    every_namespace,
  };
  Rule edge;
  What what;
};

/// Callers who are taken for others, by the Node authorizer or by NodeRestriction.
struct WrongIdentity {
  IdentitySlip slip;
  bool authorizer;
};

/// A faulty implementation: the reference, and one thing that it does wrong.
struct Mutant {
  std::string id;
  std::string part;     ///< of the node rules that is wrong: the title of its rule's group
  std::string meaning;  ///< what it does wrong, in one line
  std::vector<Rule> rules;
  std::variant<Flip, Loosening, GraphFault, WrongIdentity> fault;
};

/// How `faults.toml` and mutants' ids spell it.
std::string_view to_string(GraphFault::What what);
std::string_view meaning_of(GraphFault::What what);
std::string_view to_string(Loosening::Kind kind);

inline constexpr GraphFault::What graph_faults[] = {
    GraphFault::What::after_pod_deletion,    GraphFault::What::after_volume_deletion,
    GraphFault::What::after_object_deletion, GraphFault::What::after_replacement,
    GraphFault::What::after_change,          GraphFault::What::every_node,
    GraphFault::What::every_namespace};

/// Whether there is such a faulty implementation of the rules: what is to be wrong is there.
bool applies(const Mutant& mutant, const RuleSet& rules);

}  // namespace nodebound
