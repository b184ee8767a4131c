#include "reference/cel/admission/policy_variables.h"

#include <string>

#include "reference/release/refusal_text.h"

namespace nodebound::cel {

PolicyVariables::PolicyVariables(std::span<const PolicyVariable> variables, const AdmissionInputs& inputs,
                                 std::pmr::memory_resource& memory)
    : variables_(variables), inputs_(inputs), memory_(memory), known_(variables.size()) {
  inputs_.variables = this;
}

Value PolicyVariables::key(std::size_t index) const {
  return Value::of(std::string_view(variables_[index].name));
}

std::optional<Value> PolicyVariables::find(const Value& key) const {
  if (!key.is(Value::Kind::string)) return std::nullopt;
  // Of two with the same name the last counts.
  for (std::size_t i = variables_.size(); i > 0; --i) {
    if (variables_[i - 1].name != key.text()) continue;
    Known& known = known_[i - 1];
    if (!known.started) {
      known.started = true;
      known.value = Arena(memory_).error("composited variable " + go_quoted(key.text()) + " depends on itself");
      known.value = evaluated(i - 1);
    }
    return known.value;
  }
  return std::nullopt;
}

Value PolicyVariables::evaluated(std::size_t index) const {
  const PolicyVariable& variable = variables_[index];
  const std::string what = "composited variable " + go_quoted(variable.name) + " fails to ";
  Arena arena(memory_);
  if (!variable.expression) return arena.error(what + "compile: " + variable.expression.error().what);
  const AdmissionExpression::Outcome outcome = variable.expression->evaluate(inputs_, memory_);
  cost_ += outcome.cost;
  if (!outcome.value.is_error()) return outcome.value;
  return arena.error(what + "evaluate: " + std::string(outcome.value.text()));
}

std::uint64_t PolicyVariables::take_cost() const {
  const std::uint64_t out = cost_;
  cost_ = 0;
  return out;
}

}  // namespace nodebound::cel
