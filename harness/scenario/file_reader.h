#pragma once

#include <functional>
#include <map>
#include <string>
#include <toml++/toml.h>

#include "harness/scenario/fixtures.h"
#include "harness/scenario/scenario.h"
#include "reference/release/catalogue.h"
#include "reference/release/toml_reader.h"

namespace nodebound {

/// The profiles of `profiles.toml` by name, which implementers may claim, and the releases for which each exists.
using Profiles = std::map<std::string, ReleaseRange, std::less<>>;

/// What scenarios are validated against.
struct Vocabulary {
  const Fixtures& fixtures;
  const Profiles& profiles;
  const Catalogue& catalogue;
};

/// A scenario as far as it could be read, and all of its mistakes.
struct ReadScenario {
  Scenario scenario;
  std::vector<TomlMistake> mistakes;
};

/// Reads the scenario of a file, or of one of its cases, with the case's values already filled in.
ReadScenario read_scenario(const toml::table& file, const toml::table* values, const Vocabulary& vocabulary,
                           const std::string& name, const std::string& id);

}  // namespace nodebound
