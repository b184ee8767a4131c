#pragma once

#include <toml++/toml.h>

#include "reference/cluster/object.h"

namespace nodebound {

/// A TOML value as JSON. Throws TomlMistake for dates and times, which API objects represent as strings.
Object to_json(const toml::node& node);

/// A JSON value as TOML on one line, without null values.
std::string to_toml(const Object& value);
/// A text as a basic string.
std::string toml_string(const std::string& text);
/// A key, in quotes where it needs them.
std::string toml_key(const std::string& key);

}  // namespace nodebound
