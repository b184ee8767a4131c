#pragma once

#include <string>
#include <string_view>

namespace nodebound {

/// The length in bytes of the UTF-8 character at the beginning of `text`; 0 if there is none.
std::size_t utf8_length(std::string_view text);

/// `text` with U+FFFD in place of each byte that is not valid UTF-8, as Go reads it.
std::string repaired_utf8(std::string_view text);

}  // namespace nodebound
