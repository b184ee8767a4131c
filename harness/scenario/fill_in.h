#pragma once

#include <toml++/toml.h>

namespace nodebound {

/// Replaces names in braces by values, in keys and strings. A string that is only a placeholder may become a list or a
/// table.
void fill_in(toml::node& node, const toml::table& values);

}  // namespace nodebound
