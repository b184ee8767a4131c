#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "harness/cli/shell/command_line.h"

namespace nodebound::cli {

/// What is wrong with a command line that the parser refuses, and what to do: the command or flag that was probably
/// meant, and where the right ones are listed. `words` are those after the program's name.
std::string advice_on(const DescribedCommand& program, const std::vector<std::string>& words,
                      const CLI::ParseError& error);

}  // namespace nodebound::cli
