#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "harness/scenario/file_reader.h"
#include "harness/scenario/scenario.h"
#include "reference/release/catalogue.h"
#include "reference/result.h"

namespace nodebound {

Result<Profiles> parse_profiles(std::string_view text, const std::string& file);

/// The scenarios of files, and what is wrong with them.
struct LoadedScenarios {
  std::vector<Scenario> scenarios;
  std::vector<Error> mistakes;  ///< each, in the order of files and lines
  std::vector<Error> warnings;  ///< what is well-formed and hardly meant
};

/// Reads one scenario file: a scenario, or one for each of its cases. `id` is what the scenarios are called.
LoadedScenarios read_scenarios(std::string_view text, const std::string& file, const std::string& id,
                               const Fixtures& fixtures, const Profiles& profiles, const Catalogue& catalogue);

/// The same, or the first of its mistakes.
Result<std::vector<Scenario>> parse_scenarios(std::string_view text, const std::string& file, const std::string& id,
                                              const Fixtures& fixtures, const Profiles& profiles,
                                              const Catalogue& catalogue);

/// What the words of fixtures make, of the folder's `fixtures.toml`.
Result<Fixtures> fixtures_of(const std::filesystem::path& folder);

/// Reads every `*.toml` below the folder, in the order of their paths, `fixtures.toml` and `profiles.toml` in itself.
/// Of a file with mistakes there are no scenarios.
LoadedScenarios load_scenarios(const std::filesystem::path& folder, const Catalogue& catalogue);

}  // namespace nodebound
