#pragma once

#include <string>

#include "reports/run/report.h"

namespace nodebound {

struct TerminalStyle {
  bool colour = false;  ///< set by the caller, who knows about the terminal and NO_COLOR
  int width = 80;
  bool verbose = false;  ///< list every check that did not pass, and cut nothing
};

/// The summary that a person reads after a run: results by profile, what is broken and how it shows, the verdict last.
std::string to_terminal(const Report& report, const TerminalStyle& style);

}  // namespace nodebound
