#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace nodebound {

/// A key that an object of the JSON value has twice. `counts` says of which objects that is asked: it is given their
/// place, as the keys that lead there, each with a `/` before it.
std::optional<std::string> repeated_key(std::string_view json, const std::function<bool(std::string_view)>& counts);

}  // namespace nodebound
