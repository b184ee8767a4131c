#pragma once

#include <chrono>

#include "harness/deviations/deviation_file.h"
#include "harness/deviations/known_checks.h"

namespace nodebound::deviations {

/// Turns the failures that the file declares into deviations. An entry that does not hold, because it has
/// expired or because a check of it does something else, becomes a failed check of its own, which says what to do. The
/// same inputs give the same report.
void declare(Report& report, const DeviationFile& file, std::chrono::sys_days today, const KnownChecks& known);

/// How long ahead of a run the last day of a deviation may be.
inline constexpr std::chrono::days longest_deviation{366};

}  // namespace nodebound::deviations
