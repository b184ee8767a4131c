#include "harness/cli/console.h"

#include <cstdlib>
#include <iostream>
#include <sys/ioctl.h>
#include <unistd.h>

#include "reports/text.h"

namespace nodebound::cli {
namespace {

int terminal_width() {
  winsize size{};
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 100;
}

}  // namespace

void complain(const std::string& text) {
  std::cerr << "nodebound: " << printable_lines(text) << '\n';
}

bool on_terminal() {
  return isatty(STDOUT_FILENO) != 0;
}

TerminalStyle terminal_style(bool verbose) {
  return {on_terminal() && std::getenv("NO_COLOR") == nullptr, terminal_width(), verbose};
}

void add_format_flag(CLI::App& command, std::string& format) {
  command.add_option("--format", format, "table, json or markdown")
      ->check(CLI::IsMember({"table", "json", "markdown"}))
      ->capture_default_str();
}

void add_quiet_flag(CLI::App& command, bool& quiet) {
  command.add_flag("--quiet", quiet, "Show no progress");
}

ProgressBar::Style progress_style(bool quiet) {
  return {isatty(STDERR_FILENO) != 0, terminal_width(), quiet};
}

}  // namespace nodebound::cli
