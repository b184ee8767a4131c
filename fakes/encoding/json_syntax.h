#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace nodebound {

/// How deep Go's encoding/json reads lists and objects within each other.
inline constexpr std::size_t deepest_json = 10000;

/// What Go's encoding/json says about text that is no JSON value; nothing if it is one. Bytes that are not UTF-8 are
/// none of its business.
std::optional<std::string> json_syntax_error(std::string_view text);

}  // namespace nodebound
