#pragma once

#include "reference/cel/syntax/ast.h"
#include "reference/cel/types/environment.h"

namespace nodebound::cel {

/// Infers the type of each node, resolves names and overloads, and checks literals as the API server does. Names of
/// namespaced variables, types and functions become single nodes.
void check(Expr& expr, const Environment& environment, Issues& issues);

}  // namespace nodebound::cel
