#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace nodebound {

/// Stands for a byte that is not UTF-8.
inline constexpr char32_t replacement_character = 0xFFFD;

/// Takes the first character off `rest`, which must not be empty. Where there is none, takes one byte, as Go does, and
/// gives nothing.
std::optional<char32_t> take_character(std::string_view& rest);

/// The same, with U+FFFD for a byte that is not UTF-8.
char32_t take_code_point(std::string_view& rest);

void append_code_point(std::string& out, char32_t code_point);

/// The part of `text` before the first byte that is not UTF-8.
std::string_view utf8_prefix(std::string_view text);

inline bool is_utf8(std::string_view text) {
  return utf8_prefix(text).size() == text.size();
}

/// `text` with U+FFFD in place of each byte that is not UTF-8, as Go reads it.
std::string valid_utf8(std::string_view text);

}  // namespace nodebound
