#pragma once

#include <string>
#include <vector>

#include "harness/explain/question.h"
#include "reference/authorizer/authorizer.h"
#include "reference/release/rule_set.h"

namespace nodebound::explain {

/// What one authorizer said.
struct Opinion {
  std::string authorizer;
  Decision decision;
};

/// What the reference decides at one release.
struct ReferenceAnswer {
  bool allowed = false;
  Layer layer = Layer::authorizer;  ///< that decided
  /// Who decided: an authorizer, an admission plugin, `system:masters`, `validation`; empty if no authorizer allows.
  std::string by;
  Rule rule = Rule::node_rules_only;
  bool rule_in_force = true;  ///< if false, what it would grant is refused and what it would refuse is allowed
  int status = 200;
  std::string reason;  ///< as the caller reads it; often empty

  std::vector<Opinion> opinions;  ///< of the authorizers, in their order; empty if a group decided first
  bool admission_asked = false;
  std::string why_not_admission;  ///< for a write that the authorizers allow
  bool object_missing = false;    ///< because the given objects do not include the one that is written
  /// For an allowed write: the default-on admission plugins that may refuse such a write and were not asked.
  std::vector<std::string> plugins_not_asked;
};

/// Asks the authorizers and, if enough is known about a write, admission. `cluster` has the question's objects.
Result<ReferenceAnswer> answer(const RuleSet& rules, const Cluster& cluster, const Question& question);

}  // namespace nodebound::explain
