#pragma once

#include "reference/cel/syntax/ast.h"

namespace nodebound::cel {

/// Checks literals of a checked expression: durations and regular expressions must be readable, the entries of a list
/// or map of one type (cel-go's cel/validator.go).
void validate_literals(const Expr& expr, Issues& issues);

}  // namespace nodebound::cel
