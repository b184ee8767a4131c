#pragma once

#include "reference/cel/syntax/ast.h"
#include "reference/cel/types/environment.h"

namespace nodebound::cel {

/// Parses the expression and expands its macros. Gives nothing, or a tree that is not to be used, if it reports an
/// issue.
ExprPtr parse(const Source& source, const Environment& environment, Issues& issues);

}  // namespace nodebound::cel
