#include "reference/release/toml_reader.h"

#include "reference/encoding/utf8.h"

namespace nodebound {
namespace {

tl::unexpected<Error> error_at(std::string_view file, unsigned line, unsigned column, std::string what) {
  return input_error(std::string(file) + ":" + std::to_string(line) + ":" + std::to_string(column), std::move(what));
}

// The number of single-letter changes between two words.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, change});
    }
  }
  return row.back();
}

/// How deep toml++ would nest the values of a text: toml++ and its callers recurse once for each level. toml++ limits
/// brackets itself, but not the dots of keys.
class Nesting {
 public:
  /// Takes a character outside strings and comments.
  void see(char c) {
    if (c == '[' || c == '{') {
      levels_.push_back(1);
      ++depth_;
    } else if ((c == ']' || c == '}') && levels_.size() > 1) {
      depth_ -= levels_.back();
      levels_.pop_back();
    } else if (c == '.') {
      ++levels_.back();
      ++depth_;
    } else if (c == ',' || (c == '\n' && levels_.size() == 1)) {
      depth_ -= levels_.back() - 1;
      levels_.back() = 1;
    }
  }
  [[nodiscard]] bool too_deep() const { return depth_ > deepest; }

  static constexpr std::size_t deepest = 100;

 private:
  std::vector<std::size_t> levels_{1};  ///< for each open bracket: one, plus the dots of its current key
  std::size_t depth_ = 1;
};

struct UnsafeByte {
  std::size_t at;
  std::string expected;
};

/// The first byte of the text that toml++ cannot handle safely.
std::optional<UnsafeByte> unsafe_byte(std::string_view text) {
  char quote = 0;
  bool triple = false;
  bool comment = false;
  Nesting nesting;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool three = i + 2 < text.size() && text[i + 1] == c && text[i + 2] == c;
    if (quote == 0 && (!comment || c == '\n')) nesting.see(c);
    if (nesting.too_deep()) {
      return UnsafeByte{i, "values at most " + std::to_string(Nesting::deepest) + " deep"};
    }
    if (comment) {
      comment = c != '\n';
    } else if (quote != 0) {
      if (c == '\\' && quote == '"') {
        ++i;
      } else if (c == quote && (!triple || three)) {
        i += triple ? 2 : 0;
        quote = 0;
      } else if (c == '\n' && !triple) {
        quote = 0;
      }
    } else if (c == '#') {
      comment = true;
    } else if (c == '"' || c == '\'') {
      quote = c;
      triple = three;
      i += triple ? 2 : 0;
    } else if (static_cast<unsigned char>(c) >= 0x80) {
      return UnsafeByte{i, "only ASCII outside strings and comments"};
    }
  }
  return std::nullopt;
}

}  // namespace

tl::unexpected<Error> toml_error(std::string_view file, const toml::parse_error& error) {
  return error_at(file, error.source().begin.line, error.source().begin.column, std::string(error.description()));
}

tl::unexpected<Error> toml_error(std::string_view file, const TomlMistake& mistake) {
  return error_at(file, mistake.line, mistake.column, mistake.what());
}

toml::table parse_toml(std::string_view text, std::string_view file) {
  toml::source_position at{1, 1};
  if (!is_utf8(text)) {
    throw toml::parse_error("expected UTF-8 text", at, std::make_shared<const std::string>(file));
  }
  if (const auto unsafe = unsafe_byte(text)) {
    const std::string_view before = text.substr(0, unsafe->at);
    at.line = static_cast<toml::source_index>(std::count(before.begin(), before.end(), '\n') + 1);
    at.column = static_cast<toml::source_index>(unsafe->at - (before.rfind('\n') + 1) + 1);
    throw toml::parse_error(("expected " + unsafe->expected).c_str(), at, std::make_shared<const std::string>(file));
  }
  return toml::parse(text, file);
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& known) {
  const std::string* nearest = nullptr;
  std::size_t least = word.size() / 3 + 2;
  for (const std::string& candidate : known) {
    const std::size_t d = distance(word, candidate);
    if (d < least) {
      least = d;
      nearest = &candidate;
    }
  }
  return nearest == nullptr ? std::string() : "; did you mean \"" + *nearest + "\"?";
}

const toml::node* TomlReader::find(std::string_view key) {
  asked_.emplace_back(key);
  const toml::node* node = table_.get(key);
  return node == nullptr && defaults_ != nullptr ? defaults_->get(key) : node;
}

const toml::node& TomlReader::required(std::string_view key) {
  const toml::node* node = find(key);
  if (node == nullptr) throw TomlMistake(table_, "expected a key \"" + std::string(key) + "\"");
  return *node;
}

std::string TomlReader::string_of(const toml::node& node) {
  if (!node.is_string()) throw TomlMistake(node, "expected a string");
  return *node.value<std::string>();
}

std::string TomlReader::text(std::string_view key, bool is_required) {
  const toml::node* node = is_required ? &required(key) : find(key);
  return node == nullptr ? std::string() : string_of(*node);
}

bool TomlReader::flag(std::string_view key) {
  const toml::node* node = find(key);
  if (node == nullptr) return false;
  return flag_of(*node);
}

bool TomlReader::flag_of(const toml::node& node) {
  if (!node.is_boolean()) throw TomlMistake(node, "expected true or false");
  return *node.value<bool>();
}

std::map<std::string, bool> TomlReader::flags(std::string_view key) {
  std::map<std::string, bool> out;
  if (const toml::table* found = table(key)) {
    for (const auto& [name, value] : *found) out[std::string(name.str())] = flag_of(value);
  }
  return out;
}

std::int64_t TomlReader::number_of(const toml::node& node, std::int64_t least, std::int64_t most,
                                   const std::string& expected) {
  const auto value = node.is_integer() ? node.value<std::int64_t>() : std::nullopt;
  if (value && *value >= least && *value <= most) return *value;
  if (!expected.empty()) throw TomlMistake(node, "expected " + expected);
  throw TomlMistake(node, "expected a number from " + std::to_string(least) + " to " + std::to_string(most));
}

std::vector<std::string> TomlReader::texts(std::string_view key) {
  const toml::node* node = find(key);
  if (node == nullptr) return {};
  const toml::array* array = node->as_array();
  if (array == nullptr) return {string_of(*node)};
  std::vector<std::string> out;
  for (const toml::node& item : *array) out.push_back(string_of(item));
  return out;
}

const toml::table* TomlReader::table(std::string_view key) {
  const toml::node* node = find(key);
  if (node == nullptr) return nullptr;
  if (!node->is_table()) throw TomlMistake(*node, "expected a table");
  return node->as_table();
}

std::vector<TomlMistake> TomlReader::unknown_keys(const std::vector<std::string>& known_besides) const {
  std::vector<std::string> known = asked_;
  known.insert(known.end(), known_besides.begin(), known_besides.end());
  std::vector<TomlMistake> out;
  for (const auto& [key, node] : table_) {
    const std::string name(key.str());
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    out.emplace_back(node, "unknown key \"" + name + "\"" + did_you_mean(name, known));
  }
  return out;
}

void TomlReader::done() const {
  if (const std::vector<TomlMistake> unknown = unknown_keys(); !unknown.empty()) throw unknown.front();
}

Version TomlReader::version_of(const toml::node& node) {
  const std::optional<Version> version = Version::parse(string_of(node));
  if (!version) throw TomlMistake(node, "expected a version, like \"1.36\" or \"1.36.3\"");
  return *version;
}

std::optional<Version> TomlReader::version(std::string_view key) {
  const toml::node* node = find(key);
  return node == nullptr ? std::nullopt : std::optional(version_of(*node));
}

Version TomlReader::required_version(std::string_view key) {
  return version_of(required(key));
}

}  // namespace nodebound
