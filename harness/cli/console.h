#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "reports/progress.h"
#include "reports/terminal.h"

namespace nodebound {

/// Says something on standard error, in the name of the program. What others wrote in it is made safe to look at, and
/// cannot look like a line of ours.
void complain(const std::string& text);

/// Whether a person looks at standard output.
bool on_terminal();

/// How to write to standard output: its width, and colour unless NO_COLOR is set.
TerminalStyle terminal_style(bool verbose);

/// `--format`, for what a command prints: table, json or markdown.
void add_format_flag(CLI::App& command, std::string& format);

/// How to show progress on standard error.
ProgressBar::Style progress_style();

}  // namespace nodebound
