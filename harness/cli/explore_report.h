#pragma once

#include <string>

#include "harness/cli/target.h"
#include "harness/explore/episode/exploration_run.h"
#include "reports/exploration/exploration.h"

namespace nodebound::cli {

/// What the report says about one side.
Exploration::Side described_side(const Target& target);

/// The findings as the report shows them. `rules` are B's.
Exploration exploration_of(const explore::ExplorationOutcome& outcome, const RuleSet& rules, std::uint64_t seed);

/// Writes each difference that a scenario can express to a file of its own in the folder, with fixtures and profiles
/// beside it, so that `nodebound lint` and `nodebound run` can read it. The report names the files.
Result<void> write_scenarios(const explore::ExplorationOutcome& outcome, const std::string& fixtures_folder,
                             const std::string& folder, const Catalogue& catalogue, Exploration& exploration);

}  // namespace nodebound::cli
