#include "reference/cel/checked_expression.h"

#include <utility>

#include "reference/cel/syntax/parser.h"
#include "reference/cel/types/checker.h"
#include "reference/cel/types/validation.h"

namespace nodebound::cel {

tl::expected<ExprPtr, CompileError> checked_expression(const Source& source, const Environment& environment) {
  Issues issues(source);
  ExprPtr tree = parse(source, environment, issues);
  if (tree && issues.empty()) check(*tree, environment, issues);
  if (issues.empty()) validate_literals(*tree, issues);
  if (issues.empty()) return tree;
  return tl::unexpected(CompileError{CompileError::Kind::refused, "compilation failed: " + issues.text()});
}

tl::expected<std::shared_ptr<const Program>, CompileError> planned_program(
    const Source& source, const Expr& tree, const std::shared_ptr<const Environment>& environment,
    const std::vector<std::string>& variables) {
  Issues unsupported(source);
  auto program = Program::plan(tree, environment, variables, unsupported);
  if (!unsupported.empty()) {
    return tl::unexpected(CompileError{CompileError::Kind::unsupported, unsupported.text()});
  }
  if (program) return std::move(*program);
  return tl::unexpected(CompileError{CompileError::Kind::refused, "program instantiation failed: " + program.error()});
}

}  // namespace nodebound::cel
