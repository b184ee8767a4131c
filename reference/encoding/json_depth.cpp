#include "reference/encoding/json_depth.h"

#include <algorithm>

namespace nodebound {
namespace {

// Visits the brackets outside strings until `visit` is false.
template <typename Visit>
void each_bracket(std::string_view text, const Visit& visit) {
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      quoted = c != '"';
    } else if (c == '"') {
      quoted = true;
    } else if (c == '{' || c == '[') {
      if (!visit(i, true)) return;
    } else if (c == '}' || c == ']') {
      if (!visit(i, false)) return;
    }
  }
}

}  // namespace

std::size_t json_depth(std::string_view text) {
  std::size_t depth = 0;
  std::size_t deepest = 0;
  each_bracket(text, [&](std::size_t, bool opens) {
    if (opens) {
      deepest = std::max(deepest, ++depth);
    } else if (depth > 0) {
      --depth;
    }
    return true;
  });
  return deepest;
}

std::size_t closing_bracket(std::string_view text) {
  std::size_t depth = 0;
  std::size_t found = std::string_view::npos;
  each_bracket(text, [&](std::size_t at, bool opens) {
    if (opens) {
      ++depth;
    } else if (depth > 0 && --depth == 0) {
      found = at;
    }
    return found == std::string_view::npos;
  });
  return found;
}

}  // namespace nodebound
