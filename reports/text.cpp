#include "reports/text.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace nodebound {
bool obeyed_by_terminals(char32_t c) {
  const bool control = c < 0x20 || (c >= 0x7F && c <= 0x9F);
  const bool reorders =
      c == 0x061C || c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
  return control || reorders;
}

namespace {

// Most text is that; it is taken at once.
std::string_view take_printable_ascii(std::string_view& text) {
  const auto end = std::find_if(text.begin(), text.end(), [](char c) { return c < 0x20 || c >= 0x7F; });
  const std::string_view out = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  text.remove_prefix(out.size());
  return out;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  while (true) {
    out += take_printable_ascii(text);
    if (text.empty()) return out;
    const char32_t c = take_code_point(text);
    const bool blank = c == U'\n' || c == U'\r' || c == U'\t' || c == 0x2028 || c == 0x2029;
    append_code_point(out, blank ? U' ' : obeyed_by_terminals(c) ? replacement_character : c);
  }
}

std::string printable_lines(std::string_view text) {
  std::string out;
  for (bool first = true; first || !text.empty(); first = false) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string line = printable(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!first) out += line.starts_with("  ") ? "\n" : "\n  ";
    out += line;
  }
  return out;
}

std::string printable_page(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    out += printable(text.substr(0, end));
    if (end == std::string_view::npos) break;
    out += '\n';
    text.remove_prefix(end + 1);
  }
  return out;
}

std::string printable_json(std::string_view json) {
  std::string out;
  while (true) {
    out += take_printable_ascii(json);
    if (json.empty()) return out;
    const char32_t c = take_code_point(json);
    // Line breaks occur only between JSON values: strings escape them.
    if (c < 0x20 || !(obeyed_by_terminals(c) || c == 0x2028 || c == 0x2029)) {
      append_code_point(out, c);
      continue;
    }
    std::array<char, 12> escaped{};
    std::snprintf(escaped.data(), escaped.size(), "\\u%04x", static_cast<unsigned>(c));
    out += escaped.data();
  }
}

std::size_t columns(std::string_view text) {
  std::size_t count = 0;
  for (; !text.empty(); ++count) take_code_point(text);
  return count;
}

std::string clip(std::string_view text, std::size_t limit) {
  if (columns(text) <= limit) return std::string(text);
  std::string out;
  for (std::size_t used = 0; used + 1 < limit; ++used) append_code_point(out, take_code_point(text));
  return limit == 0 ? out : out + "…";
}

std::string pad_right(std::string_view text, std::size_t width) {
  const std::size_t used = columns(text);
  return std::string(text) + std::string(used < width ? width - used : 0, ' ');
}

std::string pad_left(std::string_view text, std::size_t width) {
  const std::size_t used = columns(text);
  return std::string(used < width ? width - used : 0, ' ') + std::string(text);
}

std::string comma_separated(const std::vector<std::string>& items) {
  std::string out;
  for (const std::string& item : items) out += (out.empty() ? "" : ", ") + item;
  return out;
}

std::string counted(std::size_t number, std::string_view noun) {
  return std::to_string(number) + " " + std::string(noun) + (number == 1 ? "" : "s");
}

}  // namespace nodebound
