#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace nodebound::cli {

/// Adds `--scenarios FOLDER`. Without it, `folder` becomes the installed folder or the one of the tree that the program
/// was built in; if there is neither, one with the scenarios that the program carries. That is written once the command
/// line was read, so a command that needs no scenarios writes nothing.
void add_scenarios_option(CLI::App& command, std::string& folder, const std::string& text = "Folder of scenarios");

}  // namespace nodebound::cli
