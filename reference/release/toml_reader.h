#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <toml++/toml.h>
#include <vector>

#include "reference/release/version.h"
#include "reference/result.h"

namespace nodebound {

/// A mistake in a TOML file, with its place. The table that contains it is read no further.
struct TomlMistake : std::runtime_error {
  TomlMistake(const toml::node& node, const std::string& what)
      : std::runtime_error(what), line(node.source().begin.line), column(node.source().begin.column) {}
  unsigned line;
  unsigned column;
};

tl::unexpected<Error> toml_error(std::string_view file, const toml::parse_error& error);
tl::unexpected<Error> toml_error(std::string_view file, const TomlMistake& mistake);

/// Parses a file's text. Throws toml::parse_error, also for text that is not UTF-8, has non-ASCII characters outside
/// strings and comments, or nests values deeper than any file of ours: toml++ 3.3 cannot cope with these.
toml::table parse_toml(std::string_view text, std::string_view file);

/// The nearest known word as `; did you mean "…"?`, or nothing if none is near.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& known);

/// Reads a table whose keys must all be known: a key that the code never reads is a mistake.
class TomlReader {
 public:
  /// `defaults` provides keys that the table itself does not set.
  explicit TomlReader(const toml::table& table, const toml::table* defaults = nullptr)
      : table_(table), defaults_(defaults) {}

  const toml::node* find(std::string_view key);
  const toml::node& required(std::string_view key);
  std::string text(std::string_view key, bool is_required = false);
  bool flag(std::string_view key);
  /// A Kubernetes version; nothing if the key is missing.
  std::optional<Version> version(std::string_view key);
  Version required_version(std::string_view key);
  /// A list of strings; a single string counts as a list of one.
  std::vector<std::string> texts(std::string_view key);
  const toml::table* table(std::string_view key);
  /// A table of flags by name; empty if the key is missing.
  std::map<std::string, bool> flags(std::string_view key);

  template <typename Visit>
  void tables(std::string_view key, Visit visit) {
    const toml::node* node = find(key);
    if (node == nullptr) return;
    const toml::array* array = node->as_array();
    if (array == nullptr) throw TomlMistake(*node, "expected a list of tables");
    for (const toml::node& item : *array) {
      if (!item.is_table()) throw TomlMistake(item, "expected a table");
      visit(*item.as_table());
    }
  }

  /// Throws for the first key that was never read.
  void done() const;
  /// All unknown keys, for callers that go on reading.
  [[nodiscard]] std::vector<TomlMistake> unknown_keys(const std::vector<std::string>& known_besides = {}) const;

  static std::string string_of(const toml::node& node);
  static bool flag_of(const toml::node& node);
  /// A number from `least` to `most`; `expected` describes it better than its bounds, if given.
  static std::int64_t number_of(const toml::node& node, std::int64_t least, std::int64_t most,
                                const std::string& expected = {});
  static Version version_of(const toml::node& node);

 private:
  const toml::table& table_;
  const toml::table* defaults_;
  std::vector<std::string> asked_;
};

}  // namespace nodebound
