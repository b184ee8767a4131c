#include "reference/encoding/utf8.h"

#include <cstdint>
#include <cstring>
#include <iterator>
#include <utf8.h>

namespace nodebound {
namespace {

bool is_ascii(char byte) {
  return static_cast<unsigned char>(byte) < 0x80;
}

// How many bytes at the begin are ASCII, perhaps a few less: most texts are nothing else, and validation goes byte by
// byte.
std::size_t leading_ascii(std::string_view text) {
  constexpr std::uint64_t beyond_ascii = 0x8080808080808080U;
  std::size_t at = 0;
  for (std::uint64_t word = 0; at + sizeof(word) <= text.size(); at += sizeof(word)) {
    std::memcpy(&word, text.data() + at, sizeof(word));
    if ((word & beyond_ascii) != 0) break;
  }
  return at;
}

}  // namespace

std::optional<char32_t> take_character(std::string_view& rest) {
  if (is_ascii(rest.front())) {
    const auto out = static_cast<char32_t>(rest.front());
    rest.remove_prefix(1);
    return out;
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
  if (code_point < 0x80) {
    out += static_cast<char>(code_point);
  } else {
    utf8::unchecked::append(code_point, std::back_inserter(out));
  }
}

std::string_view utf8_prefix(std::string_view text) {
  const std::size_t ascii = leading_ascii(text);
  const std::size_t odd = utf8::find_invalid(text.substr(ascii));
  return odd == std::string_view::npos ? text : text.substr(0, ascii + odd);
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
