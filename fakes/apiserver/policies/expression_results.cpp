#include "fakes/apiserver/policies/expression_results.h"

namespace nodebound::apiserver {

tl::expected<ExpressionResult, std::string> ExpressionBudget::evaluate(
    const cel::AdmissionExpression::Compiled& expression, const cel::AdmissionInputs& inputs,
    const cel::PolicyVariables* variables, std::pmr::memory_resource& memory) {
  ExpressionResult out;
  if (!expression) {
    out.error = "compilation error: " + expression.error().what;
    return out;
  }
  const cel::AdmissionExpression::Outcome outcome = expression->evaluate(inputs, memory);
  // What a variable costs does not count as part of the expression that first asks for it.
  const std::uint64_t cost_of_variables = variables == nullptr ? 0 : variables->take_cost();
  if (!spend(cost_of_variables) || !spend(outcome.cost)) {
    return tl::unexpected<std::string>(
        "validation failed due to running out of cost budget, no further validation rules will be run");
  }
  if (outcome.value.is_error()) {
    out.error = "expression '" + expression->text() + "' resulted in error: " + std::string(outcome.value.text());
  } else {
    out.value = outcome.value;
  }
  return out;
}

bool ExpressionBudget::spend(std::uint64_t cost) {
  if (cost > left_) return false;
  left_ -= cost;
  return true;
}

}  // namespace nodebound::apiserver
