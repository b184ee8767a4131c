#pragma once

#include <string>

#include "fakes/apiserver/policies/compiled_conditions.h"
#include "reference/cel/admission/admission_expression.h"

namespace nodebound {

struct MatchedConditions {
  bool match = false;
  std::string error = {};  ///< why that is not known; then a webhook that fails closed refuses the write
};

/// Asks the match conditions of a webhook (pkg/admission/plugin/webhook/matchconditions/matcher.go below
/// k8s.io/apiserver). Without conditions they match.
MatchedConditions matched_conditions(const CompiledConditions& conditions, const cel::AdmissionInputs& inputs,
                                     bool ignores_failures);

}  // namespace nodebound
