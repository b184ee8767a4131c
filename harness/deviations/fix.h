#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include "harness/deviations/deviation_file.h"
#include "harness/deviations/known_checks.h"

namespace nodebound::deviations {

/// A file of deviations as a run needs it.
struct FixedDeviations {
  std::string text;
  std::size_t added = 0;    ///< entries that a person has to fill in
  std::size_t removed = 0;  ///< entries that held no longer
  std::size_t split = 0;    ///< entries of patterns of which some checks still deviate, now an entry each
};

/// What of the file still holds stays as it is, with its comments. An entry of which nothing is left is removed; of one
/// with a pattern, the checks that still deviate get an entry each. Failures that no entry declares get one without
/// reason and issue. The report is one to which no file has been applied.
Result<FixedDeviations> fixed(const DeviationFile& file, const Report& report, std::chrono::sys_days today,
                              const KnownChecks& known);

}  // namespace nodebound::deviations
