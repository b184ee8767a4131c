#include "fakes/apiserver/policies/match_conditions.h"

#include <memory_resource>

#include "fakes/apiserver/policies/expression_results.h"
#include "reference/release/refusal_text.h"

namespace nodebound::apiserver {

CompiledConditions compiled_conditions(const Object& webhook, const Release& release) {
  CompiledConditions out;
  for (const Object& one : member(webhook, "matchConditions")) {
    out.push_back(cel::compile_admission_condition(text(one, "expression"), release));
  }
  return out;
}

MatchedConditions matched_conditions(const CompiledConditions& conditions, const cel::AdmissionInputs& inputs,
                                     bool ignores_failures) {
  std::pmr::monotonic_buffer_resource memory;
  ExpressionBudget budget{ExpressionBudget::of_match_conditions};
  std::vector<std::string> errors;
  bool mismatch = false;
  for (const cel::AdmissionExpression::Compiled& condition : conditions) {
    const auto result = budget.evaluate(condition, inputs, nullptr, memory);
    if (!result) return {false, ignores_failures ? "" : result.error()};
    if (!result->error.empty()) errors.push_back(result->error);
    mismatch = mismatch || result->value.is_false();
  }
  // A condition that is false decides, whatever the others are.
  if (mismatch) return {};
  if (errors.empty()) return {true};
  return {false, ignores_failures ? "" : go_aggregate(errors)};
}

}  // namespace nodebound::apiserver
