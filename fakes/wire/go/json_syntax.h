#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace nodebound {

/// How deeply Go's encoding/json lets lists and objects be nested.
inline constexpr std::size_t deepest_json = 10000;

/// Go's encoding/json error for a text that is not a JSON value; nothing if it is one. Invalid UTF-8 is not an error
/// here.
std::optional<std::string> json_syntax_error(std::string_view text);

}  // namespace nodebound
