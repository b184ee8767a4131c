#pragma once

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

}  // namespace nodebound
