#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "reference/result.h"

namespace re2 {
class RE2;
}

namespace nodebound {

/// A regular expression from a user, in RE2's syntax: any expression takes time linear in the text, and constant
/// memory.
class Pattern {
 public:
  /// An input error if the text is no regular expression.
  static Result<Pattern> of(const char* flag, const std::string& text);

  Pattern(Pattern&&) noexcept;
  Pattern& operator=(Pattern&&) noexcept;
  ~Pattern();

  /// Whether a part of the text matches.
  [[nodiscard]] bool is_in(std::string_view text) const;

 private:
  explicit Pattern(std::unique_ptr<re2::RE2> compiled);
  std::unique_ptr<re2::RE2> compiled_;
};

}  // namespace nodebound
