#include "fakes/apiserver/policies/match_conditions.h"

#include <cstdint>
#include <memory_resource>
#include <vector>

#include "reference/cel/evaluation/value.h"
#include "reference/release/refusal_text.h"

namespace nodebound {

MatchedConditions matched_conditions(const CompiledConditions& conditions, const cel::AdmissionInputs& inputs,
                                     bool ignores_failures) {
  // What conditions may cost together, in cel-go's units (pkg/apis/cel/config.go below k8s.io/apiserver).
  std::uint64_t budget = 2'500'000;
  constexpr const char* out_of_budget =
      "validation failed due to running out of cost budget, no further validation rules will be run";
  std::pmr::monotonic_buffer_resource memory;
  std::vector<std::string> errors;
  bool mismatch = false;
  for (const CompiledCondition& condition : conditions) {
    if (!condition) {
      errors.push_back("compilation error: " + condition.error());
      continue;
    }
    const auto outcome = condition->evaluate(inputs, memory);
    if (outcome.cost > budget) return {false, ignores_failures ? "" : out_of_budget};
    budget -= outcome.cost;
    if (outcome.value.is_error()) {
      errors.push_back("expression '" + condition->text() +
                       "' resulted in error: " + std::string(outcome.value.text()));
    }
    mismatch = mismatch || outcome.value.is_false();
  }
  // A condition that is false decides, whatever the others are.
  if (mismatch) return {};
  if (errors.empty()) return {true};
  return {false, ignores_failures ? "" : go_aggregate(errors)};
}

}  // namespace nodebound
