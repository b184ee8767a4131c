#pragma once

#include <string>
#include <toml++/toml.h>
#include <vector>

#include "harness/scenario/scenario.h"
#include "reference/release/toml_reader.h"

namespace nodebound {

/// Mistakes that a file is well-formed with: placeholders of names that nothing in the scenario has (`{noed}`), or of a
/// sort that does not exist (`{udi pods/web}`), each at its place. `file` is filled in with the values of its case;
/// `strangers` are names that nothing is meant to have.
std::vector<TomlMistake> unknown_placeholders(const toml::table& file, const std::vector<std::string>& strangers);

/// What the administrator deletes though nothing in the scenario makes it.
std::vector<const Action*> vain_deletes(const Scenario& scenario);

}  // namespace nodebound
