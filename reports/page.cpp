#include "reports/page.h"

#include <algorithm>
#include <vector>

#include "reports/text.h"

namespace nodebound {
namespace {

constexpr int narrowest = 40;
constexpr std::size_t label_width = 10;
constexpr std::size_t lines_of_a_value = 3;

const char* code(Colour colour) {
  switch (colour) {
    case Colour::plain:
      return "";
    case Colour::bold:
      return "\x1b[1m";
    case Colour::dim:
      return "\x1b[2m";
    case Colour::green:
      return "\x1b[32m";
    case Colour::red:
      return "\x1b[31m";
    case Colour::yellow:
      return "\x1b[33m";
  }
  return "";
}

/// Breaks at blanks only: a long path or URL stays whole, so that it can be copied.
std::vector<std::string> wrap(std::string_view text, std::size_t width) {
  std::vector<std::string> lines(1);
  std::size_t used = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.empty()) continue;
    const std::size_t length = columns(word);
    if (used > 0 && used + 1 + length > width) {
      lines.emplace_back();
      used = 0;
    }
    if (used > 0) lines.back() += ' ';
    lines.back() += word;
    used += (used > 0 ? 1 : 0) + length;
  }
  return lines;
}

}  // namespace

Page::Page(const TerminalStyle& style) : style_(style) {
  style_.width = std::max(style_.width, narrowest);
}

std::string Page::paint(Colour colour, std::string_view text) const {
  if (!style_.colour || colour == Colour::plain) return std::string(text);
  return code(colour) + std::string(text) + "\x1b[0m";
}

void Page::raw(const std::string& line) {
  out_ += line + "\n";
}

void Page::blank() {
  out_ += "\n";
}

void Page::heading(Colour colour, std::string_view glyph, std::string_view text) {
  blank();
  raw(paint(colour, glyph) + " " + paint(Colour::bold, printable(text)));
}

void Page::paragraph(std::size_t indent, Colour colour, std::string_view text) {
  wrapped(std::string(indent, ' '), indent, colour, printable(text));
}

void Page::field(std::size_t indent, std::string_view label, std::string_view value) {
  if (style_.verbose) return whole_field(indent, label, value);
  const std::size_t room = static_cast<std::size_t>(style_.width) - indent - label_width;
  whole_field(indent, label, clip(printable(value), lines_of_a_value * room));
}

void Page::whole_field(std::size_t indent, std::string_view label, std::string_view value) {
  if (value.empty()) return;
  wrapped(std::string(indent, ' ') + paint(Colour::dim, pad_right(label, label_width)), indent + label_width,
          Colour::plain, printable(value));
}

void Page::wrapped(const std::string& first, std::size_t indent, Colour colour, std::string_view text) {
  const std::size_t width = static_cast<std::size_t>(style_.width) - indent;
  std::string lead = first;
  for (const std::string& line : wrap(text, width)) {
    raw(lead + paint(colour, line));
    lead = std::string(indent, ' ');
  }
}

}  // namespace nodebound
