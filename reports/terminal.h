#pragma once

#include <string>

#include "reports/report.h"

namespace nodebound {

struct TerminalStyle {
  bool colour = false;  ///< the caller knows whether this is a terminal, and NO_COLOR
  int width = 80;
  bool verbose = false;  ///< list every check that did not pass, and cut nothing
};

/// What a person reads after a run: where it stands by profile, what is broken and how it shows, the verdict last.
std::string to_terminal(const Report& report, const TerminalStyle& style);

}  // namespace nodebound
