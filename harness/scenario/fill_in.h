#pragma once

#include <toml++/toml.h>

namespace nodebound {

/// Puts values where a file has their names in braces: in keys and in strings. A string that is nothing but a
/// placeholder may become a list or a table.
void fill_in(toml::node& node, const toml::table& values);

}  // namespace nodebound
