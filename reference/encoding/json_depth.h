#pragma once

#include <cstddef>
#include <string_view>

namespace nodebound {

/// How deep brackets nest outside strings, in a text that may be no JSON. Ask before a parser that recurses sees a
/// stranger's text.
std::size_t json_depth(std::string_view text);

/// Where the bracket is closed with which the text begins; npos if it is not.
std::size_t closing_bracket(std::string_view text);

}  // namespace nodebound
