#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <toml++/toml.h>

#include "harness/scenario/fixtures.h"
#include "harness/scenario/scenario.h"
#include "reference/release/catalogue.h"
#include "reference/release/toml_reader.h"

namespace nodebound {

/// What an implementer may claim: an entry of `profiles.toml`.
struct Profile {
  ReleaseRange range;  ///< the releases for which it exists
  int version = 1;     ///< of its set of checks
  /// The scenarios that need one of these feature gates belong to its level `extended`; all others also to `core`.
  std::set<std::string> extended_gates = {};
};

/// By name.
using Profiles = std::map<std::string, Profile, std::less<>>;

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
