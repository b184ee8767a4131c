#pragma once

#include <string>
#include <string_view>

namespace nodebound {

/// Two lower-case hexadecimal digits for each byte.
std::string hex_encode(std::string_view bytes);

/// Whether all of `text` is lower-case hexadecimal digits.
bool is_hex(std::string_view text);

}  // namespace nodebound
