#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace nodebound {

/// Text from outside, for the content of an element or within quotes of an attribute: nothing in it is markup, and it
/// is never longer than a page bears.
std::string html_text(std::string_view text);

/// `<name class="…">content</name>`; `content` is HTML already. Without content, and class, there is no element.
std::string html_element(std::string_view name, std::string_view kind, std::string_view content);

/// `12 345`, with blanks that do not break.
std::string grouped_digits(std::size_t number);

}  // namespace nodebound
