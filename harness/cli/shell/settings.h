#pragma once

#include <string>
#include <vector>

#include "harness/cli/shell/command_line.h"
#include "reference/result.h"

namespace nodebound::cli {

/// The name of the file of settings that is read from the working folder.
inline constexpr const char* settings_file = "nodebound.toml";

/// Flags of the command that `words` name, from the text of a file of settings: a table for each command, a key for
/// each flag without its dashes. Flags that the words give already are left out. A key that is no flag is a mistake, in
/// tables of other commands, too.
Result<std::vector<std::string>> flags_from_settings(const DescribedCommand& program,
                                                     const std::vector<std::string>& words, const std::string& text,
                                                     const std::string& file);

/// The words with the flags of a file of settings put behind the command's name: of the file that `--config` names
/// before the command, else of nodebound.toml in the working folder, if this user has it and nobody else may write it.
Result<std::vector<std::string>> with_settings(const DescribedCommand& program, std::vector<std::string> words);

}  // namespace nodebound::cli
