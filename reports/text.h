#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "reference/encoding/utf8.h"

namespace nodebound {

/// `text` on one line and without anything a terminal would interpret: a target's message must not move the cursor,
/// recolour the screen or reorder text.
std::string printable(std::string_view text);

/// The same for text of several lines: those after the first are indented, so that none of them looks like the
/// beginning of another message.
std::string printable_lines(std::string_view text);

/// The same for text that already has its final line breaks.
std::string printable_page(std::string_view text);

/// JSON in which characters that a terminal would interpret are written as `\u202e`: they can occur only in strings.
std::string printable_json(std::string_view json);

/// Whether a terminal interprets the character rather than showing it: control characters, and those that change the
/// text direction.
bool obeyed_by_terminals(char32_t c);

/// How many columns a terminal gives `text`, taking each code point as one.
std::size_t columns(std::string_view text);
/// `text` in at most `limit` columns, ending in `…` if something was cut.
std::string clip(std::string_view text, std::size_t limit);

std::string pad_right(std::string_view text, std::size_t width);
std::string pad_left(std::string_view text, std::size_t width);

/// `a, b, c`
std::string comma_separated(const std::vector<std::string>& items);

/// `1 check`, `2 checks`.
std::string counted(std::size_t number, std::string_view noun);

}  // namespace nodebound
