#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "reports/terminal.h"

namespace nodebound {

enum class Colour { plain, bold, dim, green, red, yellow };

/// Lines of a terminal page. Outside text is made printable here, in one place for all callers.
class Page {
 public:
  explicit Page(const TerminalStyle& style);

  /// `text` must be printable already.
  [[nodiscard]] std::string paint(Colour colour, std::string_view text) const;

  /// For lines that are composed with `paint`.
  void raw(const std::string& line);
  void blank();
  void heading(Colour colour, std::string_view glyph, std::string_view text);
  /// Wrapped at the width, further lines indented like the first.
  void paragraph(std::size_t indent, Colour colour, std::string_view text);
  /// `label  value`, the value wrapped and, unless verbose, cut after a few lines. Prints nothing if `value` is empty.
  void field(std::size_t indent, std::string_view label, std::string_view value);
  /// The same, never cut: for text of our own that says what to do.
  void whole_field(std::size_t indent, std::string_view label, std::string_view value);

  [[nodiscard]] bool verbose() const { return style_.verbose; }
  [[nodiscard]] std::size_t width() const { return static_cast<std::size_t>(style_.width); }
  [[nodiscard]] const std::string& text() const { return out_; }

 private:
  void wrapped(const std::string& first, std::size_t indent, Colour colour, std::string_view text);

  TerminalStyle style_;
  std::string out_;
};

}  // namespace nodebound
