#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "reports/replay/replay.h"

namespace nodebound::cli {

/// What is shown of a replay, whether it was made now or put together of its shares, and what fails.
struct ReplayOutput {
  std::string accept;
  std::vector<std::string> fail_on = {"newly-refused"};
  std::string out;
  std::string format = "text";
  bool verbose = false;

  void add_to(CLI::App& command);
  /// Returns the exit code.
  [[nodiscard]] int tell(Replay replay) const;
};

}  // namespace nodebound::cli
