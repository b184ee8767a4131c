#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "reference/cel/evaluation/program.h"
#include "reference/cel/match_condition.h"
#include "reference/cel/syntax/ast.h"
#include "reference/cel/types/environment.h"

namespace nodebound::cel {

/// Parses and type-checks an expression. The error is kube-apiserver's.
tl::expected<ExprPtr, CompileError> checked_expression(const Source& source, const Environment& environment);

/// Plans what was checked, or says what kube-apiserver or Nodebound cannot evaluate.
tl::expected<std::shared_ptr<const Program>, CompileError> planned_program(
    const Source& source, const Expr& tree, const std::shared_ptr<const Environment>& environment,
    const std::vector<std::string>& variables);

}  // namespace nodebound::cel
