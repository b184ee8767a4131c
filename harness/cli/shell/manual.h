#pragma once

#include <string>

#include "harness/cli/shell/command_line.h"

namespace nodebound::cli {

/// The manual page nodebound(1), in the macros of man(7).
std::string manual_page(const DescribedCommand& program, const std::string& version);

}  // namespace nodebound::cli
