#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace nodebound {

constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

constexpr char in_lower_case(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

inline std::string in_lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = in_lower_case(c);
  return out;
}

/// `text` without the `blanks` at both ends.
constexpr std::string_view trimmed(std::string_view text, std::string_view blanks = " \t\r\n") {
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  return text.substr(0, text.find_last_not_of(blanks) + 1);
}

}  // namespace nodebound
