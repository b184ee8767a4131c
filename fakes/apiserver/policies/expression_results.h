#pragma once

#include <cstdint>
#include <memory_resource>
#include <string>
#include <tl/expected.hpp>

#include "reference/cel/admission/admission_expression.h"
#include "reference/cel/admission/policy_variables.h"

namespace nodebound::apiserver {

/// What an expression says of a write: a value, or an error in kube-apiserver's words.
struct ExpressionResult {
  cel::Value value = cel::Value::null();
  std::string error = {};
};

/// What several expressions may cost together, in cel-go's units (pkg/admission/plugin/cel/activation.go and
/// pkg/apis/cel/config.go below k8s.io/apiserver).
class ExpressionBudget {
 public:
  static constexpr std::uint64_t of_match_conditions = 2'500'000;
  static constexpr std::uint64_t of_policy = 10'000'000;

  explicit ExpressionBudget(std::uint64_t units) : left_(units) {}

  /// The error says that the budget is spent; then no further expression is evaluated. `variables` are those of the
  /// inputs; null if there are none.
  tl::expected<ExpressionResult, std::string> evaluate(const cel::AdmissionExpression::Compiled& expression,
                                                       const cel::AdmissionInputs& inputs,
                                                       const cel::PolicyVariables* variables,
                                                       std::pmr::memory_resource& memory);

 private:
  [[nodiscard]] bool spend(std::uint64_t cost);

  std::uint64_t left_;
};

}  // namespace nodebound::apiserver
