#pragma once

#include <cstdint>
#include <string>

#include "harness/cli/compare/compare_sides.h"
#include "harness/explore/compared_answers.h"

namespace nodebound::cli {

/// Flags of a comparison that draws random requests instead of asking scenarios.
struct RandomFlags {
  std::size_t requests = 0;  ///< 0: ask scenarios
  bool disposable = false;
  /// The least difference for which it ends with 1.
  explore::Agreement fail_on = explore::Agreement::other_status;

  void add_to(CLI::App& command);
};

/// `out` and `format` mean the same as for scenarios.
int compare_by_chance(const RandomFlags& flags, OpenSides& sides, std::uint64_t seed, const std::string& out,
                      const std::string& format, bool verbose);

}  // namespace nodebound::cli
