#include "fakes/apiserver/policies/policy_evaluation.h"

#include <memory_resource>
#include <optional>
#include <tl/expected.hpp>
#include <utility>

#include "fakes/apiserver/policies/expression_results.h"
#include "fakes/apiserver/policies/match_conditions.h"
#include "reference/encoding/ascii.h"

namespace nodebound::apiserver {
namespace {

constexpr std::size_t longest_message = 5 * 1024;
constexpr std::size_t longest_annotation = 10 * 1024;

std::string_view go_trimmed(std::string_view text) {
  return trimmed(text, " \t\r\n\v\f");
}

// The text that an expression of a message made, if it can be shown.
std::string usable_message(const std::optional<ExpressionResult>& result) {
  if (!result || !result->value.is(cel::Value::Kind::string)) return {};
  const std::string_view message = go_trimmed(result->value.text());
  const bool usable = message.size() <= longest_message && message.find('\n') == std::string_view::npos;
  return usable ? std::string(message) : std::string();
}

std::string message_of_denial(const Object& validation, const std::optional<ExpressionResult>& made) {
  std::string out = usable_message(made);
  if (out.empty()) out = go_trimmed(text(validation, "message"));
  if (!out.empty()) return out;
  return "failed expression: " + std::string(go_trimmed(text(validation, "expression")));
}

/// One policy on one write, with one object of parameters.
class PolicyEvaluation {
 public:
  PolicyEvaluation(const Object& spec, const cel::PolicyExpressions& expressions, const PolicyInputs& inputs,
                   const RuleSet& rules)
      : spec_(spec),
        expressions_(expressions),
        inputs_(inputs),
        rules_(rules),
        ignores_(text(spec, "failurePolicy") == "Ignore" || !rules.in_force(Rule::policy_fails_closed)) {}

  PolicyResult run() {
    const MatchedConditions matched = matched_conditions(expressions_.match_conditions, inputs_.conditions, ignores_);
    if (!matched.error.empty()) return failed(matched.error);
    if (!matched.match && rules_.in_force(Rule::policy_match_conditions)) return {};
    PolicyResult out;
    if (auto decisions = validate()) {
      out.decisions = std::move(*decisions);
    } else {
      return failed(decisions.error());
    }
    if (auto annotations = annotate()) {
      out.annotations = std::move(*annotations);
    } else {
      return failed(annotations.error());
    }
    return out;
  }

 private:
  using Results = std::vector<std::optional<ExpressionResult>>;

  [[nodiscard]] PolicyDecision decision_of_error(const std::string& error) const {
    return {!ignores_, error, {}, true};
  }
  [[nodiscard]] PolicyResult failed(const std::string& error) const { return {{decision_of_error(error)}}; }

  tl::expected<std::vector<PolicyDecision>, std::string> validate() {
    ExpressionBudget budget(ExpressionBudget::of_policy);
    const cel::PolicyVariables variables(expressions_.variables, inputs_.validations, memory_);
    Results results;
    for (const auto& expression : expressions_.validations) {
      auto result = budget.evaluate(expression, variables.inputs(), &variables, memory_);
      if (!result) return tl::unexpected(std::move(result.error()));
      results.emplace_back(std::move(*result));
    }
    const tl::expected<Results, std::string> messages = make_messages(budget);
    std::vector<PolicyDecision> out;
    for (std::size_t i = 0; i < results.size(); ++i) out.push_back(decision(i, *results[i], messages));
    return out;
  }

  // Messages are made whatever the validations say, from what these have left of the budget.
  tl::expected<Results, std::string> make_messages(ExpressionBudget& budget) {
    const cel::PolicyVariables variables(expressions_.variables, inputs_.explanations, memory_);
    Results out;
    for (const auto& expression : expressions_.messages) {
      auto& own = out.emplace_back();
      if (!expression) continue;
      auto result = budget.evaluate(*expression, variables.inputs(), &variables, memory_);
      if (!result) return tl::unexpected(std::move(result.error()));
      own = std::move(*result);
    }
    return out;
  }

  [[nodiscard]] PolicyDecision decision(std::size_t index, const ExpressionResult& result,
                                        const tl::expected<Results, std::string>& messages) const {
    if (!result.error.empty()) return decision_of_error(result.error);
    if (!messages) return decision_of_error("failed messageExpression: " + messages.error());
    if (result.value.is_true()) return {};
    const Object& validation = member(spec_, "validations")[index];
    return {true, message_of_denial(validation, (*messages)[index]), std::string(text(validation, "reason"))};
  }

  tl::expected<std::vector<PolicyAnnotation>, std::string> annotate() {
    ExpressionBudget budget(ExpressionBudget::of_policy);
    const cel::PolicyVariables variables(expressions_.variables, inputs_.explanations, memory_);
    std::vector<PolicyAnnotation> out;
    for (const auto& expression : expressions_.audit_annotations) {
      const auto result = budget.evaluate(expression, variables.inputs(), &variables, memory_);
      if (!result) return tl::unexpected(result.error());
      PolicyAnnotation& own = out.emplace_back();
      own.key = text(member(spec_, "auditAnnotations")[out.size() - 1], "key");
      if (!result->error.empty()) {
        if (!ignores_) own.error = result->error;
      } else if (result->value.is(cel::Value::Kind::string)) {
        own.value = go_trimmed(result->value.text()).substr(0, longest_annotation);
      }
    }
    return out;
  }

  const Object& spec_;
  const cel::PolicyExpressions& expressions_;
  const PolicyInputs& inputs_;
  const RuleSet& rules_;
  const bool ignores_;
  std::pmr::monotonic_buffer_resource memory_;
};

}  // namespace

PolicyResult evaluated_policy(const Object& spec, const cel::PolicyExpressions& expressions, const PolicyInputs& inputs,
                              const RuleSet& rules) {
  return PolicyEvaluation(spec, expressions, inputs, rules).run();
}

}  // namespace nodebound::apiserver
