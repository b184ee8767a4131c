#pragma once

#include <string>
#include <vector>

#include "reference/cel/admission/admission_expression.h"
#include "reference/cluster/object.h"
#include "reference/release/release.h"

namespace nodebound::apiserver {

/// Match conditions, or why one does not compile. That was found out when they were written, unless the release is
/// another.
using CompiledConditions = std::vector<cel::AdmissionExpression::Compiled>;

/// Those of a webhook.
CompiledConditions compiled_conditions(const Object& webhook, const Release& release);

struct MatchedConditions {
  bool match = false;
  std::string error = {};  ///< why that is not known; then what fails closed refuses the write
};

/// Asks the match conditions of a webhook or policy (pkg/admission/plugin/webhook/matchconditions/matcher.go below
/// k8s.io/apiserver). Without conditions they match.
MatchedConditions matched_conditions(const CompiledConditions& conditions, const cel::AdmissionInputs& inputs,
                                     bool ignores_failures);

}  // namespace nodebound::apiserver
