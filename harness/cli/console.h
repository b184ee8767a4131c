#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "reports/run/progress.h"
#include "reports/terminal.h"

namespace nodebound::cli {

/// Prints a message on standard error, prefixed with the program's name. Text from outside is made safe to print and
/// cannot look like a line of ours.
void complain(const std::string& text);

/// Whether standard output is a terminal.
bool on_terminal();

/// How to write to standard output: the width, and colour unless NO_COLOR is set.
TerminalStyle terminal_style(bool verbose);

/// `--format` of a command that prints: table, json or markdown.
void add_format_flag(CLI::App& command, std::string& format);

/// `--quiet` of a command that shows progress.
void add_quiet_flag(CLI::App& command, bool& quiet);

/// How to show progress on standard error.
ProgressBar::Style progress_style(bool quiet);

}  // namespace nodebound::cli
