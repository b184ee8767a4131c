#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference/result.h"
#include "reports/run/report.h"

namespace nodebound::deviations {

/// One `[[deviation]]` of a file.
struct DeclaredEntry {
  DeclaredDeviation deviation;
  std::size_t line = 0;  ///< where it begins

  /// `--fix` adds entries without a reason and an issue, which only a person knows.
  [[nodiscard]] bool is_filled_in() const { return !deviation.reason.empty() && !deviation.issue.empty(); }
};

/// What an implementer declares to do otherwise than the rules require.
struct DeviationFile {
  std::string name;  ///< as reports name it
  std::string text;
  std::vector<DeclaredEntry> entries;
};

/// Reads a file, strictly: `deviations.schema.json` is its contract. Its entries need not be filled in.
Result<DeviationFile> parse_deviations(std::string_view text, const std::string& name);

/// An error at the first entry that a person still has to fill in.
Result<void> require_filled_in(const DeviationFile& file);

/// A day as a file writes it, `2027-01-31`; nothing if the text does not begin with one.
std::optional<std::chrono::sys_days> day_of(std::string_view text);
std::string text_of(std::chrono::sys_days day);

}  // namespace nodebound::deviations
