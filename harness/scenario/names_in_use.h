#pragma once

#include <string>
#include <toml++/toml.h>
#include <vector>

#include "harness/scenario/scenario.h"
#include "reference/release/toml_reader.h"

namespace nodebound {

/// Mistakes in a well-formed file: placeholders whose name nothing in the scenario has (`{noed}`), or of an unknown
/// sort (`{udi pods/web}`), each with its place. `file` has the values of its case filled in. `strangers` are names
/// that intentionally belong to nothing.
std::vector<TomlMistake> unknown_placeholders(const toml::table& file, const std::vector<std::string>& strangers);

/// Objects that the administrator deletes although nothing in the scenario makes them.
std::vector<const Action*> vain_deletes(const Scenario& scenario);

}  // namespace nodebound
