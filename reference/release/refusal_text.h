#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace nodebound {

/// The name and value of a placeholder in a refusal text.
using TextArgument = std::pair<std::string_view, std::string_view>;

/// A refusal text with placeholders: `node {node:q} is not allowed to modify taints`.
class RefusalText {
 public:
  RefusalText() = default;

  /// `{name}` is replaced by the argument with that name, `{name:q}` by the same quoted as Go's %q does.
  explicit RefusalText(std::string_view pattern);

  /// The text with its arguments filled in; a placeholder without an argument stays as written.
  [[nodiscard]] std::string render(std::initializer_list<TextArgument> arguments) const;

  /// Whether `message` ends with this text; a placeholder that `known` does not fix matches any value. In an API
  /// server's message, the object and the verb come before the reason.
  [[nodiscard]] bool ends(std::string_view message,
                          const std::vector<std::pair<std::string, std::string>>& known) const;

  /// Whether `message` is this text and nothing more.
  [[nodiscard]] bool is(std::string_view message, const std::vector<std::pair<std::string, std::string>>& known) const;

  [[nodiscard]] bool empty() const { return parts_.empty(); }
  [[nodiscard]] std::string pattern() const;

 private:
  struct Part {
    std::string text;  ///< literal text, or the placeholder's name
    bool placeholder = false;
    bool quoted = false;
  };

  /// The literal texts between the placeholders that `known` does not fix.
  [[nodiscard]] std::vector<std::string> runs(const std::vector<std::pair<std::string, std::string>>& known) const;

  std::vector<Part> parts_;
};

/// Several errors as Go's aggregate prints them: each text once; a single one plain, several in brackets.
std::string go_aggregate(const std::vector<std::string>& errors);

/// `text` in double quotes, with Go's escapes for quotes, backslashes and invisible characters.
std::string go_quoted(std::string_view text);
void append_go_quoted(std::string& out, std::string_view text);

}  // namespace nodebound
