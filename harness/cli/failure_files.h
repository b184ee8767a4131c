#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/cli/target.h"
#include "harness/failures/smallest.h"

namespace nodebound::cli {

/// The smallest scenarios of a run's failures, by the id of the check.
using SmallestScenarios = std::map<std::string, std::string>;

/// Makes the first failure of each kind small, of some twenty kinds at most. The target must still answer.
SmallestScenarios smallest_scenarios(const std::vector<Scenario>& scenarios, const Report& report,
                                     const failures::ShrinkSetting& setting);

/// What the pages of failures need besides the report.
struct FailureFiles {
  std::string out;        ///< folder of the reports
  std::string scenarios;  ///< folder
  std::string replay;     ///< `nodebound run …` without what is to be asked
  SmallestScenarios smallest = {};
};

/// Writes a page for each failure, those of different kinds first, and the smallest scenarios where `nodebound run
/// --scenarios` finds them. Removes the pages of an earlier run. Returns what to tell of it.
Result<std::string> write_failures(const Report& report, const Catalogue& catalogue, const FailureFiles& files);

/// The command that runs the same against the same target.
std::string replay_command(const TargetFlags& flags, const std::string& target, const Report& report,
                           std::uint64_t seed);

}  // namespace nodebound::cli
