#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace nodebound {

/// Escapes outside text for the content of an element or a quoted attribute: it contains no markup, and is cut to a
/// length that suits a page.
std::string html_text(std::string_view text);

/// `<name class="…">content</name>`; `content` is HTML already. Returns nothing if both content and class are empty.
std::string html_element(std::string_view name, std::string_view kind, std::string_view content);

/// `12 345`, with non-breaking spaces.
std::string grouped_digits(std::size_t number);

}  // namespace nodebound
