#pragma once

#include <toml++/toml.h>

#include "reference/cluster/object.h"

namespace nodebound {

/// A TOML value as JSON. Throws TomlMistake for dates and times, which no API object has as such.
Object to_json(const toml::node& node);

}  // namespace nodebound
