#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "harness/kubelet/kubelet_scenario.h"
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
  /// Of an API server, or of kubelets: the others are none. Their files are named from the folder of scenarios on.
  std::vector<Scenario> scenarios;
  std::vector<kubelet_conformance::KubeletScenario> of_kubelets;
  std::string scenarios_digest;  ///< of all files of the folder that scenarios are read from
  std::string profile_digest;    ///< of the frozen list of checks
  std::string catalogue_digest;
};

/// An error if there is no such profile or version, or if its checks are not the frozen ones.
Result<ClaimedSet> claimed_set(const std::filesystem::path& folder, Claim claim, const Catalogue& catalogue);

/// The frozen list of a profile of that name and version as it would be written now; an error if there is none.
Result<std::string> checks_of_claim(const std::filesystem::path& folder, const Claim& claim,
                                    const Catalogue& catalogue);

/// The frozen list of a profile's checks as it would be written now: for each step of a scenario its probes, and the
/// minor releases that have them, with the default feature gates.
std::string checks_of_profile(const std::string& profile, int version, const std::vector<Scenario>& scenarios,
                              const Catalogue& catalogue);

/// The same for a profile of kubelets: each step and each start, and the minor releases that have it.
std::string checks_of_kubelet_profile(const std::string& profile, int version,
                                      const std::vector<kubelet_conformance::KubeletScenario>& scenarios,
                                      const Catalogue& catalogue);

/// The file of the list.
std::filesystem::path checks_file(const std::filesystem::path& folder, const std::string& profile, int version);

}  // namespace nodebound::certify
