#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "harness/scenario/fixtures.h"
#include "harness/scenario/scenario.h"
#include "reference/release/catalogue.h"
#include "reference/result.h"

namespace nodebound {

/// Reads one scenario file: a scenario, or one for each of its cases. `id` is what the scenarios are called.
Result<std::vector<Scenario>> parse_scenarios(std::string_view text, const std::string& file, const std::string& id,
                                              const Fixtures& fixtures, const Catalogue& catalogue);

/// Reads every `*.toml` below the folder, in the order of their paths, and `fixtures.toml` in the folder itself. Where
/// there are mistakes, one for each file with any.
struct LoadedScenarios {
  std::vector<Scenario> scenarios;
  std::vector<Error> mistakes;
};
LoadedScenarios load_scenarios(const std::filesystem::path& folder, const Catalogue& catalogue);

}  // namespace nodebound
