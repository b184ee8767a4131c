#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "harness/scenario/loader.h"
#include "harness/scenario/scenario.h"
#include "reference/release/catalogue.h"
#include "reference/result.h"

namespace nodebound::certify {

/// How much of a profile is claimed.
enum class Level { core, extended };
const char* to_string(Level level);

/// A profile that an implementer claims.
struct Claim {
  std::string profile;
  int version = 0;  ///< 0: the present one
  Level level = Level::core;
};

/// `NAME` or `NAME@VERSION`.
Result<Claim> parse_claim(const std::string& text, Level level);

/// What a claim is judged by: the scenarios, and the digests of all that determines its verdicts.
struct ClaimedSet {
  Claim claim;
  std::vector<Scenario> scenarios;  ///< their files are named from the folder of scenarios on
  std::string scenarios_digest;     ///< of all files of the folder that scenarios are read from
  std::string profile_digest;       ///< of the frozen list of checks
  std::string catalogue_digest;
};

/// An error if there is no such profile or version, or if its checks are not the frozen ones.
Result<ClaimedSet> claimed_set(const std::filesystem::path& folder, Claim claim, const Catalogue& catalogue);

/// The frozen list of a profile's checks as it would be written now: for each step of a scenario its probes, and the
/// minor releases that have them, with the default feature gates.
std::string checks_of_profile(const std::string& profile, int version, const std::vector<Scenario>& scenarios,
                              const Catalogue& catalogue);

/// The file of the list.
std::filesystem::path checks_file(const std::filesystem::path& folder, const std::string& profile, int version);

}  // namespace nodebound::certify
