#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reference/cel/admission/admission_expression.h"
#include "reference/cluster/object.h"
#include "reference/release/release.h"

namespace nodebound::cel {

/// A variable of a policy, which the expressions after it can use.
struct PolicyVariable {
  std::string name;
  AdmissionExpression::Compiled expression;
};

/// The expressions of a ValidatingAdmissionPolicy, compiled for a release: each, or why it does not compile. They stand
/// in the order of the policy.
struct PolicyExpressions {
  std::vector<AdmissionExpression::Compiled> match_conditions;
  std::vector<PolicyVariable> variables;
  std::vector<AdmissionExpression::Compiled> validations;
  std::vector<std::optional<AdmissionExpression::Compiled>> messages;  ///< of the validations
  std::vector<AdmissionExpression::Compiled> audit_annotations;
};

/// Of the spec of a policy (pkg/admission/plugin/policy/validating/plugin.go and
/// pkg/admission/plugin/cel/composition.go below k8s.io/apiserver).
PolicyExpressions policy_expressions(const Object& spec, const Release& release);

}  // namespace nodebound::cel
