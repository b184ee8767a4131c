#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace nodebound::cli {

/// A flag of a command, or an argument without dashes.
struct DescribedOption {
  std::vector<std::string> names;  ///< with dashes, the long one first; of an argument its name alone
  std::string text;
  bool has_value = false;
  std::vector<std::string> choices;  ///< the only values it takes; empty if it takes others
  std::string value;                 ///< what a manual writes for its value
  std::string default_value;

  [[nodiscard]] bool is_argument() const { return !names.front().starts_with('-'); }
};

/// What a command takes, read from the parser itself: completion, manual and advice cannot differ from it.
struct DescribedCommand {
  std::string path;  ///< `report verify`; empty for the program itself
  std::string name;
  std::string text;
  std::vector<DescribedOption> options;
  std::vector<DescribedCommand> commands;

  /// The number of words in its path.
  [[nodiscard]] std::size_t depth() const {
    return path.empty() ? 0 : 1 + static_cast<std::size_t>(std::count(path.begin(), path.end(), ' '));
  }
};

DescribedCommand described(const CLI::App& app);

/// The command that the words name, as far as they name any: that of `report verify` for `report verify DIR`.
const DescribedCommand& command_of(const DescribedCommand& program, const std::vector<std::string>& words);

/// The option with this name (`--out`); nullptr if there is none.
const DescribedOption* find_option(const DescribedCommand& command, const std::string& name);

/// Calls `visit` with the command and all below it.
template <typename Visit>
void each_command(const DescribedCommand& command, const Visit& visit) {
  visit(command);
  for (const DescribedCommand& below : command.commands) each_command(below, visit);
}

}  // namespace nodebound::cli
