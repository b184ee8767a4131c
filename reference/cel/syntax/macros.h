#pragma once

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "reference/cel/syntax/ast.h"
#include "reference/cel/types/environment.h"

namespace nodebound::cel {

struct MacroMistake {
  Offset at;
  std::string message;
};

/// A call that may be a macro's. What it expands to takes target and arguments away.
struct MacroCall {
  std::string_view name;
  Offset at;
  ExprPtr target;  ///< null for a global call
  std::vector<ExprPtr> arguments;
};

/// Whether the environment has such a macro.
bool is_macro(const Environment& environment, const MacroCall& call);

/// Expands a call that is a macro's.
tl::expected<ExprPtr, MacroMistake> expand(MacroCall call);

}  // namespace nodebound::cel
