#pragma once

#include <string>
#include <vector>

#include "reference/cel/admission/policy_expressions.h"
#include "reference/release/rule_set.h"

namespace nodebound::apiserver {

/// What one validation of a policy says of a write.
struct PolicyDecision {
  bool denies = false;
  std::string message = {};
  std::string reason = {};  ///< as Kubernetes spells it; empty: the usual one
  bool failed = false;      ///< an expression could not be evaluated
};

/// What one audit annotation of a policy says.
struct PolicyAnnotation {
  std::string key;
  std::string value = {};  ///< empty: nothing is published
  std::string error = {};  ///< refuses the write
};

struct PolicyResult {
  std::vector<PolicyDecision> decisions = {};
  std::vector<PolicyAnnotation> annotations = {};
};

/// What the expressions of a policy are evaluated on.
struct PolicyInputs {
  const cel::AdmissionInputs& conditions;    ///< of match conditions, which see no namespace
  const cel::AdmissionInputs& validations;   ///< with the authorizers
  const cel::AdmissionInputs& explanations;  ///< of messages and annotations, without
};

/// Evaluates a policy (pkg/admission/plugin/policy/validating/validator.go below k8s.io/apiserver).
PolicyResult evaluated_policy(const Object& spec, const cel::PolicyExpressions& expressions, const PolicyInputs& inputs,
                              const RuleSet& rules);

}  // namespace nodebound::apiserver
