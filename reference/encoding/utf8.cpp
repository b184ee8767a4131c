#include "reference/encoding/utf8.h"

#include <iterator>
#include <utf8.h>

namespace nodebound {

std::optional<char32_t> take_character(std::string_view& rest) {
  // Most text is ASCII.
  if (const auto first = static_cast<unsigned char>(rest.front()); first < 0x80) {
    rest.remove_prefix(1);
    return first;
  }
  constexpr std::size_t longest = 4;
  const std::string_view begin = rest.substr(0, longest);
  if (utf8::find_invalid(begin) == 0) {
    rest.remove_prefix(1);
    return std::nullopt;
  }
  const char* at = begin.data();
  const char32_t character = utf8::unchecked::next(at);
  rest.remove_prefix(static_cast<std::size_t>(at - begin.data()));
  return character;
}

char32_t take_code_point(std::string_view& rest) {
  return take_character(rest).value_or(replacement_character);
}

void append_code_point(std::string& out, char32_t code_point) {
  utf8::unchecked::append(code_point, std::back_inserter(out));
}

std::string_view utf8_prefix(std::string_view text) {
  return text.substr(0, utf8::find_invalid(text));
}

std::string valid_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (true) {
    const std::string_view valid = utf8_prefix(text);
    out += valid;
    if (valid.size() == text.size()) return out;
    append_code_point(out, replacement_character);
    text.remove_prefix(valid.size() + 1);
  }
}

}  // namespace nodebound
