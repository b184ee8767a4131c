#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "reference/cluster/object.h"
#include "reference/result.h"

namespace nodebound {

/// Returns the value of a placeholder, or nothing if the name is unknown.
using Placeholder = std::function<std::optional<std::string>(std::string_view)>;

/// Not if there is a quotation mark: then the braces are those of a JSON object.
bool is_placeholder(std::string_view within_braces);

/// Replaces each `{name}` that `value_of` knows, innermost first, so that a value may become part of another
/// placeholder.
std::string substitute(std::string_view text, const Placeholder& value_of);

/// The same for every string and key of an object.
Object substitute_in(const Object& object, const Placeholder& value_of);

}  // namespace nodebound
