#include "reports/markdown.h"

#include <algorithm>

#include "reports/text.h"

namespace nodebound {

std::string markdown_text(std::string_view text) {
  static constexpr std::string_view markup = "\\`*_{}[]<>#~!&";
  std::string out;
  for (const char c : printable(text)) {
    if (markup.find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

std::string markdown_code(std::string_view text) {
  const std::string code = printable(text);
  if (code.empty()) return {};
  std::size_t longest = 0;
  std::size_t run = 0;
  for (const char c : code) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  const std::string pad = longest > 0 ? " " : "";
  return fence + pad + code + pad + fence;
}

std::string markdown_row(const std::vector<std::string>& cells) {
  std::string row = "|";
  for (const std::string& cell : cells) {
    row += ' ';
    for (const char c : cell) {
      // A bar ends the cell, even within code.
      if (c == '|') row += '\\';
      row += c;
    }
    row += " |";
  }
  return row + "\n";
}

std::string markdown_head(const std::vector<std::string>& titles) {
  std::string rule = "|";
  for (std::size_t i = 0; i < titles.size(); ++i) rule += "---|";
  return markdown_row(titles) + rule + "\n";
}

}  // namespace nodebound
