#include "reports/json_text.h"

#include <array>
#include <cstdio>

#include "reports/text.h"

namespace nodebound {
namespace {

bool stands_for_itself(char c) {
  return c >= 0x20 && c < 0x7F && c != '"' && c != '\\';
}

void append_escaped(std::string& out, char32_t c) {
  std::array<char, 12> escaped{};
  std::snprintf(escaped.data(), escaped.size(), "\\u%04x", static_cast<unsigned>(c));
  out += escaped.data();
}

void append_one(std::string& out, char32_t c) {
  if (c == U'"' || c == U'\\') {
    out += '\\';
    out += static_cast<char>(c);
  } else if (c == U'\n') {
    out += "\\n";
  } else if (obeyed_by_terminals(c) || c == 0x2028 || c == 0x2029) {
    append_escaped(out, c);
  } else {
    append_code_point(out, c);
  }
}

}  // namespace

void append_json_text(std::string& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    std::size_t plain = 0;
    while (plain < text.size() && stands_for_itself(text[plain])) ++plain;
    out += text.substr(0, plain);
    text.remove_prefix(plain);
    if (!text.empty()) append_one(out, take_code_point(text));
  }
  out += '"';
}

}  // namespace nodebound
