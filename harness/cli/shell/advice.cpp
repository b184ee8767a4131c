#include "harness/cli/shell/advice.h"

#include <algorithm>
#include <cctype>

#include "reference/release/toml_reader.h"

namespace nodebound::cli {
namespace {

std::string with_help(const std::string& what, const DescribedCommand& command) {
  return what + "\n  `nodebound " + (command.path.empty() ? "" : command.path + " ") + "--help` lists " +
         (command.commands.empty() ? "what it takes" : "the commands");
}

std::vector<std::string> names_below(const DescribedCommand& command) {
  std::vector<std::string> out;
  for (const DescribedCommand& each : command.commands) out.push_back(each.name);
  return out;
}

/// The commands that have the flag.
std::string others_with(const DescribedCommand& program, const std::string& flag) {
  std::string out;
  each_command(program, [&](const DescribedCommand& each) {
    if (each.commands.empty() && find_option(each, flag) != nullptr) out += (out.empty() ? "" : ", ") + each.path;
  });
  return out;
}

std::string on_flag(const DescribedCommand& program, const DescribedCommand& command, const std::string& flag) {
  const std::string wrong = (command.path.empty() ? "nodebound" : command.path) + " has no flag " + flag;
  const std::string others = others_with(program, flag);
  if (!others.empty()) return with_help(wrong + "; these have it: " + others, command);
  std::vector<std::string> known;
  for (const DescribedOption& option : command.options) {
    if (!option.is_argument()) known.insert(known.end(), option.names.begin(), option.names.end());
  }
  return with_help(wrong + did_you_mean(flag, known), command);
}

/// `nodebound compare A B [FLAG ...]`
std::string usage_of(const DescribedCommand& command) {
  std::string out = "nodebound " + command.path;
  for (const DescribedOption& option : command.options) {
    if (!option.is_argument()) continue;
    std::string name = option.names.front();
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::toupper(c); });
    out += " " + name;
  }
  return out + " [FLAG ...]";
}

// The first word that is no flag and stands where a command is expected.
std::string wrong_command(const DescribedCommand& command, const std::vector<std::string>& words) {
  const std::size_t depth = command.depth();
  std::size_t passed = 0;
  for (const std::string& word : words) {
    if (word.starts_with('-')) continue;
    if (passed++ == depth) return word;
  }
  return {};
}

}  // namespace

std::string advice_on(const DescribedCommand& program, const std::vector<std::string>& words,
                      const CLI::ParseError& error) {
  const DescribedCommand& command = command_of(program, words);
  if (!command.commands.empty()) {
    const std::string word = wrong_command(command, words);
    if (!word.empty()) {
      return with_help("there is no command \"" + (command.path.empty() ? "" : command.path + " ") + word + "\"" +
                           did_you_mean(word, names_below(command)),
                       command);
    }
    if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
      std::string known;
      for (const std::string& name : names_below(command)) known += (known.empty() ? "" : ", ") + name;
      return with_help(
          "which command of `nodebound" + (command.path.empty() ? "" : " " + command.path) + "`? There are: " + known,
          command);
    }
  }
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    for (const std::string& word : words) {
      const std::string name = word.substr(0, word.find('='));
      if (name.size() > 1 && name.starts_with('-') && find_option(command, name) == nullptr) {
        return on_flag(program, command, name);
      }
    }
  }
  const bool missing = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
  return with_help(error.what() + (missing ? "\n  as in `" + usage_of(command) + "`" : ""), command);
}

}  // namespace nodebound::cli
