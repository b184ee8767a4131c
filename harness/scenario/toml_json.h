#pragma once

#include <toml++/toml.h>

#include "reference/cluster/object.h"

namespace nodebound {

/// A TOML value as JSON. Throws TomlMistake for dates and times, which API objects represent as strings.
Object to_json(const toml::node& node);

}  // namespace nodebound
