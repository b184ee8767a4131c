#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace nodebound::cel {

/// What a string literal stands for, quotes and prefix included in `text`; or what is wrong with it, in cel-go's words
/// (parser/unescape.go). In `bytes` octal and hexadecimal escapes are bytes, otherwise code points.
tl::expected<std::string, std::string> unescape(std::string_view text, bool bytes);

}  // namespace nodebound::cel
