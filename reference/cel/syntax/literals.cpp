#include "reference/cel/syntax/literals.h"

#include <cstdint>

#include "reference/encoding/utf8.h"

namespace nodebound::cel {

namespace {

constexpr std::string_view unable = "unable to unescape string";

// Line ends of all kinds are line feeds in a string.
std::string with_line_feeds(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\r') {
      out += text[i];
      continue;
    }
    out += '\n';
    if (text.substr(i + 1, 1) == "\n") ++i;
  }
  return out;
}

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool is_code_point(std::uint32_t value) {
  return value < 0xD800 || (value > 0xDFFF && value <= 0x10FFFF);
}

char simple_escape(char c) {
  switch (c) {
    case 'a':
      return '\a';
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    case 'v':
      return '\v';
    default:
      return c;
  }
}

// Reads the escape after a backslash from the front of `rest`.
tl::expected<void, std::string> take_escape(std::string_view& rest, bool bytes, std::string& out) {
  const char c = rest.front();
  rest.remove_prefix(1);
  constexpr std::string_view simple = "abfnrtv\\'\"`?";
  if (simple.find(c) != std::string_view::npos) {
    out += simple_escape(c);
    return {};
  }
  std::uint32_t value = 0;
  if (c >= '0' && c <= '3') {
    if (rest.size() < 2) return tl::unexpected(std::string("unable to unescape octal sequence in string"));
    value = static_cast<std::uint32_t>((c - '0') * 64 + (rest[0] - '0') * 8 + (rest[1] - '0'));
    rest.remove_prefix(2);
  } else {
    const bool is_byte = c == 'x' || c == 'X';
    const std::size_t digits = is_byte ? 2 : c == 'u' ? 4 : 8;
    if ((!is_byte && (bytes || (c != 'u' && c != 'U'))) || rest.size() < digits) {
      return tl::unexpected(std::string(unable));
    }
    for (std::size_t i = 0; i < digits; ++i) {
      const int digit = hex_value(rest[i]);
      if (digit < 0) return tl::unexpected(std::string(unable));
      value = value * 16 + static_cast<std::uint32_t>(digit);
    }
    rest.remove_prefix(digits);
  }
  if (bytes) {
    out += static_cast<char>(value);
    return {};
  }
  if (!is_code_point(value)) return tl::unexpected(std::string("invalid unicode code point"));
  append_code_point(out, value);
  return {};
}

}  // namespace

tl::expected<std::string, std::string> unescape(std::string_view text, bool bytes) {
  const std::string normalized = with_line_feeds(text);
  std::string_view rest = normalized;
  const bool raw = rest.front() == 'r' || rest.front() == 'R';
  if (raw) rest.remove_prefix(1);
  const std::string_view three = rest.substr(0, 3);
  const std::size_t quotes = rest.size() >= 6 && (three == "'''" || three == "\"\"\"") ? 3 : 1;
  rest = rest.substr(quotes, rest.size() - 2 * quotes);
  if (raw) return std::string(rest);
  std::string out;
  while (!rest.empty()) {
    const char c = rest.front();
    rest.remove_prefix(1);
    if (c != '\\') {
      out += c;
      continue;
    }
    if (rest.empty()) return tl::unexpected(std::string("unable to unescape string, found '\\' as last character"));
    if (const auto taken = take_escape(rest, bytes, out); !taken) return tl::unexpected(taken.error());
  }
  return out;
}

}  // namespace nodebound::cel
