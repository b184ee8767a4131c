#include "reference/cel/match_condition.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory_resource>
#include <utility>

#include "reference/cel/checked_expression.h"
#include "reference/cel/evaluation/program.h"
#include "reference/cel/request_value.h"

namespace nodebound::cel {

namespace {

// Whether a field of that name is selected anywhere, in whatever.
bool selects(const Expr& expr, std::string_view field) {
  if (expr.kind == Expr::Kind::select && expr.name == field) return true;
  if (expr.kind == Expr::Kind::call && expr.name == "_?._" &&
      std::get<std::string>(expr.children[1]->literal) == field) {
    return true;
  }
  for (const ExprPtr& child : expr.children) {
    if (selects(*child, field)) return true;
  }
  return false;
}

Match ask(const Program& program, const RequestValue& request) {
  std::array<std::byte, 4096> buffer;  // NOLINT(cppcoreguidelines-pro-type-member-init): is only written to
  std::pmr::monotonic_buffer_resource memory(buffer.data(), buffer.size());
  const std::array<Value, 1> variables = {request.value()};
  const Program::Outcome outcome = program.evaluate(variables, memory);
  Match out;
  out.cost = outcome.cost;
  if (outcome.value.is_error()) {
    out.error = std::string(outcome.value.text());
  } else {
    out.answer = outcome.value.is_true() ? Match::Answer::yes : Match::Answer::no;
  }
  return out;
}

}  // namespace

MatchCondition::Compiled MatchCondition::compile(std::string_view expression, const Release& release) {
  return compile(expression, std::make_shared<const Environment>(match_condition_environment(release)));
}

MatchCondition::Compiled MatchCondition::compile(std::string_view expression,
                                                 const std::shared_ptr<const Environment>& environment) {
  const Source source(expression);
  auto tree = checked_expression(source, *environment);
  if (!tree) return tl::unexpected(std::move(tree.error()));
  if (!(*tree)->type->is(Type::Kind::boolean)) {
    return tl::unexpected(
        CompileError{CompileError::Kind::refused, "must evaluate to bool but got " + to_string(*(*tree)->type)});
  }
  auto program = planned_program(source, **tree, environment, {"request"});
  if (!program) return tl::unexpected(std::move(program.error()));
  MatchCondition out;
  out.expression_ = std::string(expression);
  out.program_ = std::move(*program);
  out.uses_field_selector_ = selects(**tree, "fieldSelector");
  out.uses_label_selector_ = selects(**tree, "labelSelector");
  return out;
}

Match MatchCondition::evaluate(const SubjectAccessReviewSpec& request) const {
  return ask(*program_, RequestValue(request, uses_field_selector_, uses_label_selector_));
}

Match evaluate_all(std::span<const MatchCondition> conditions, const SubjectAccessReviewSpec& request) {
  bool field_selector = false;
  bool label_selector = false;
  for (const MatchCondition& one : conditions) {
    field_selector = field_selector || one.uses_field_selector_;
    label_selector = label_selector || one.uses_label_selector_;
  }
  const RequestValue value(request, field_selector, label_selector);
  Match out;
  out.answer = Match::Answer::yes;
  std::vector<std::string> errors;
  for (const MatchCondition& one : conditions) {
    const Match match = ask(*one.program_, value);
    out.cost += match.cost;
    if (match.answer == Match::Answer::no) return {Match::Answer::no, {}, out.cost};
    if (match.answer != Match::Answer::error) continue;
    const std::string error =
        "cel evaluation error: expression '" + one.expression_ + "' resulted in error: " + match.error;
    if (std::find(errors.begin(), errors.end(), error) == errors.end()) errors.push_back(error);
  }
  if (errors.empty()) return out;
  // As k8s.io/apimachinery's Aggregate prints several: each once, in brackets.
  out.answer = Match::Answer::error;
  for (const std::string& error : errors) out.error.append(out.error.empty() ? "" : ", ").append(error);
  if (errors.size() > 1) out.error = "[" + out.error + "]";
  return out;
}

}  // namespace nodebound::cel
