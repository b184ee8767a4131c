#include "harness/cli/shell/settings.h"

#include <algorithm>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/cli/console.h"
#include "harness/objects/input_file.h"
#include "reference/release/toml_reader.h"

namespace nodebound::cli {
namespace {

bool gives(const std::vector<std::string>& words, const DescribedOption& option) {
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    return std::find(option.names.begin(), option.names.end(), word.substr(0, word.find('='))) != option.names.end();
  });
}

std::string value_text(const toml::node& node) {
  if (const auto text = node.value_exact<std::string>()) return *text;
  if (const auto number = node.value_exact<std::int64_t>()) return std::to_string(*number);
  throw TomlMistake(node, "expected a string, a whole number, true or false, or a list of strings and numbers");
}

/// Reads one file of settings, and gathers the flags of one command.
class SettingsReader {
 public:
  SettingsReader(const DescribedCommand& wanted, const std::vector<std::string>& words)
      : wanted_(wanted), words_(words) {}

  void read(const toml::table& table, const DescribedCommand& command) {
    for (const auto& [key, node] : table) {
      const std::string name(key);
      if (const toml::table* below = node.as_table(); below != nullptr) {
        read(*below, command_named(node, command, name));
      } else {
        read_flag(node, command, name);
      }
    }
  }

  [[nodiscard]] const std::vector<std::string>& flags() const { return flags_; }

 private:
  static const DescribedCommand& command_named(const toml::node& node, const DescribedCommand& command,
                                               const std::string& name) {
    std::vector<std::string> known;
    for (const DescribedCommand& each : command.commands) {
      if (each.name == name) return each;
      known.push_back(each.name);
    }
    throw TomlMistake(node, "there is no command \"" + name + "\"" + did_you_mean(name, known));
  }

  void read_flag(const toml::node& node, const DescribedCommand& command, const std::string& name) {
    const DescribedOption* const option = find_option(command, "--" + name);
    if (option == nullptr || name == "help" || name == "config" || name == "version") {
      std::vector<std::string> known;
      for (const DescribedOption& each : command.options) known.push_back(each.names.front().substr(2));
      throw TomlMistake(
          node, (command.path.empty() ? "settings belong into the table of a command, as [run]; \"" + name + "\""
                                      : command.path + " has no flag --" + name) +
                    (command.path.empty() ? " stands outside" : did_you_mean(name, known)));
    }
    std::vector<std::string> given = option->has_value ? values(node, "--" + name) : switches(node, "--" + name);
    if (&command != &wanted_ || gives(words_, *option)) return;
    flags_.insert(flags_.end(), given.begin(), given.end());
  }

  static std::vector<std::string> switches(const toml::node& node, const std::string& flag) {
    const auto on = node.value_exact<bool>();
    if (!on) throw TomlMistake(node, "expected true or false: " + flag + " takes no value");
    return *on ? std::vector<std::string>{flag} : std::vector<std::string>();
  }

  static std::vector<std::string> values(const toml::node& node, const std::string& flag) {
    std::vector<std::string> out;
    if (const toml::array* list = node.as_array(); list != nullptr) {
      for (const toml::node& each : *list) out.push_back(flag + "=" + value_text(each));
    } else {
      out.push_back(flag + "=" + value_text(node));
    }
    return out;
  }

  const DescribedCommand& wanted_;
  const std::vector<std::string>& words_;
  std::vector<std::string> flags_;
};

/// The file that `--config` names before the command; the flag and its value are taken out of the words.
Result<std::string> named_file(std::vector<std::string>& words) {
  if (words.empty() || !words.front().starts_with("--config")) return std::string();
  const std::string first = words.front();
  if (first.starts_with("--config=")) {
    words.erase(words.begin());
    return first.substr(std::string("--config=").size());
  }
  if (first != "--config") return std::string();
  if (words.size() < 2)
    return input_error("--config", "expected a file", "as in `nodebound --config nodebound.toml run`");
  const std::string file = words[1];
  words.erase(words.begin(), words.begin() + 2);
  return file;
}

/// A file that lies about can name programs to start; one of another user is not obeyed.
Result<bool> has_own_settings() {
  struct stat found {};
  if (lstat(settings_file, &found) != 0) return false;
  const bool own = found.st_uid == geteuid() || found.st_uid == 0;
  if (S_ISREG(found.st_mode) && own && (found.st_mode & S_IWOTH) == 0) return true;
  return input_error(settings_file, "is not obeyed: it must be a file of yours that not everybody may write",
                     "name it with --config if you trust it");
}

}  // namespace

Result<std::vector<std::string>> flags_from_settings(const DescribedCommand& program,
                                                     const std::vector<std::string>& words, const std::string& text,
                                                     const std::string& file) {
  try {
    SettingsReader reader(command_of(program, words), words);
    reader.read(parse_toml(text, file), program);
    return reader.flags();
  } catch (const toml::parse_error& error) {
    return toml_error(file, error);
  } catch (const TomlMistake& mistake) {
    return toml_error(file, mistake);
  }
}

Result<std::vector<std::string>> with_settings(const DescribedCommand& program, std::vector<std::string> words) {
  Result<std::string> named = named_file(words);
  if (!named) return tl::unexpected<Error>(named.error());
  const DescribedCommand& command = command_of(program, words);
  std::string file = *named;
  if (file.empty()) {
    if (command.path.empty()) return words;
    const Result<bool> own = has_own_settings();
    if (!own) return tl::unexpected<Error>(own.error());
    if (!*own) return words;
    file = settings_file;
  }
  const Result<std::string> text = read_input(file, input_limit::credentials);
  if (!text) return tl::unexpected<Error>(text.error());
  const auto flags = flags_from_settings(program, words, *text, file);
  if (!flags) return flags;
  if (named->empty() && !flags->empty()) complain("flags of " + command.path + " from " + file);
  const std::size_t depth = command.depth();
  words.insert(words.begin() + static_cast<std::ptrdiff_t>(depth), flags->begin(), flags->end());
  return words;
}

}  // namespace nodebound::cli
