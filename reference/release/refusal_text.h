#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace nodebound {

/// A value for a placeholder of a refusal text: name, value.
using TextArgument = std::pair<std::string_view, std::string_view>;

/// The text of a refusal with its placeholders: `node {node:q} is not allowed to modify taints`.
class RefusalText {
 public:
  RefusalText() = default;

  /// `{name}` stands for the argument of that name, `{name:q}` for the same quoted as Go's %q does.
  explicit RefusalText(std::string_view pattern);

  /// The text with its arguments; a placeholder without an argument stays as it is written.
  [[nodiscard]] std::string render(std::initializer_list<TextArgument> arguments) const;

  /// Whether `message` ends with this text, taking any value for a placeholder that `known` does not fix. A message of
  /// an API server has the object and the verb before the reason.
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

  /// The literal text between the placeholders that `known` does not fix.
  [[nodiscard]] std::vector<std::string> runs(const std::vector<std::pair<std::string, std::string>>& known) const;

  std::vector<Part> parts_;
};

/// Several errors as Go's aggregate prints them: each text once, one plainly, more in brackets.
std::string go_aggregate(const std::vector<std::string>& errors);

/// `text` in double quotes, with Go's escapes for quotes, backslashes and characters that do not show.
std::string go_quoted(std::string_view text);

}  // namespace nodebound
