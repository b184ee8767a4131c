#pragma once

#include <string>

#include "harness/cli/target.h"
#include "harness/explore/episode/exploration_run.h"
#include "reports/exploration.h"

namespace nodebound {

/// What the report tells of one side.
Exploration::Side described_side(const Target& target);

/// What was found, as the report tells it. `rules` are those of B.
Exploration exploration_of(const ExplorationOutcome& outcome, const RuleSet& rules, std::uint64_t seed);

/// Writes each difference that scenarios can tell to a file of its own in the folder, which `nodebound lint` and
/// `nodebound run` then take: fixtures and profiles are put beside them. Notes the files in the report.
Result<void> write_scenarios(const ExplorationOutcome& outcome, const std::string& fixtures_folder,
                             const std::string& folder, const Catalogue& catalogue, Exploration& exploration);

}  // namespace nodebound
