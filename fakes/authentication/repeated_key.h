#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace nodebound::authentication {

/// A key that occurs twice in one object of the JSON value. `counts` says whether to check an object; it gets the
/// object's path, in which each key has a `/` before it.
std::optional<std::string> repeated_key(std::string_view json, const std::function<bool(std::string_view)>& counts);

}  // namespace nodebound::authentication
