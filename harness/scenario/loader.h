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

/// The profiles of the folder's `profiles.toml`.
Result<Profiles> profiles_of(const std::filesystem::path& folder);
/// Those of kubelets, which API servers do not share.
Result<Profiles> kubelet_profiles_of(const std::filesystem::path& folder);

/// The scenarios of files, and the mistakes in them.
struct LoadedScenarios {
  std::vector<Scenario> scenarios;
  std::vector<Error> mistakes;  ///< all mistakes, in the order of files and lines
  std::vector<Error> warnings;  ///< well-formed but probably unintended
};

/// Reads one scenario file: one scenario, or one for each of its cases. `id` becomes the id of the scenarios.
LoadedScenarios read_scenarios(std::string_view text, const std::string& file, const std::string& id,
                               const Fixtures& fixtures, const Profiles& profiles, const Catalogue& catalogue);

/// The same, or the first mistake.
Result<std::vector<Scenario>> parse_scenarios(std::string_view text, const std::string& file, const std::string& id,
                                              const Fixtures& fixtures, const Profiles& profiles,
                                              const Catalogue& catalogue);

/// The fixtures of the folder's `fixtures.toml`.
Result<Fixtures> fixtures_of(const std::filesystem::path& folder);

/// Reads every `*.toml` below the folder, in the order of their ids, except its own `fixtures.toml` and
/// `profiles.toml`. A file with mistakes yields no scenarios. If only one profile is `wanted`, files that are plainly
/// of another one are not parsed, and their mistakes not found.
LoadedScenarios load_scenarios(const std::filesystem::path& folder, const Catalogue& catalogue,
                               std::string_view wanted = {});

}  // namespace nodebound
