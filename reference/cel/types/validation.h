#pragma once

#include "reference/cel/syntax/ast.h"

namespace nodebound::cel {

/// Checks literals of a checked expression: durations, timestamps and regular expressions must be readable
/// (cel-go's cel/validator.go).
void validate_literals(const Expr& expr, Issues& issues);

}  // namespace nodebound::cel
