#pragma once

#include <string>

#include "harness/cli/shell/command_line.h"

namespace nodebound::cli {

/// Completion scripts, for `nodebound` and, where a shell completes by the name of a program, `kubectl-nodebound`. What
/// grows with the scenarios and the catalogue (profiles, ids of rules) is asked of the program at the time.
std::string bash_completion(const DescribedCommand& program);
std::string zsh_completion(const DescribedCommand& program);
std::string fish_completion(const DescribedCommand& program);

}  // namespace nodebound::cli
