#pragma once

#include <cstdint>
#include <string>

#include "harness/cli/compare/compare_sides.h"
#include "harness/explore/compared_answers.h"

namespace nodebound::cli {

/// What a comparison shows, and where it writes.
struct ComparisonOutput {
  std::string out;
  std::string format = "table";
  bool quiet = false;
  bool verbose = false;
};

/// Flags of a comparison that draws random requests instead of asking scenarios.
struct RandomFlags {
  std::size_t requests = 0;  ///< 0: ask scenarios
  bool disposable = false;
  /// The least difference for which it ends with 1.
  explore::Agreement fail_on = explore::Agreement::other_status;

  void add_to(CLI::App& command);
};

int compare_by_chance(const RandomFlags& flags, OpenSides& sides, std::uint64_t seed, const ComparisonOutput& output);

}  // namespace nodebound::cli
