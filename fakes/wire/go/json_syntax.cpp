#include "fakes/wire/go/json_syntax.h"

#include <array>
#include <cstdio>
#include <utility>
#include <vector>

#include "reference/encoding/ascii.h"

namespace nodebound {
namespace {

bool is_hex(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

// The character with the byte's number, quoted as Go does.
std::string quoted(char byte) {
  static constexpr std::array<std::pair<char, const char*>, 9> escapes = {{{'\a', "\\a"},
                                                                           {'\b', "\\b"},
                                                                           {'\f', "\\f"},
                                                                           {'\n', "\\n"},
                                                                           {'\r', "\\r"},
                                                                           {'\t', "\\t"},
                                                                           {'\v', "\\v"},
                                                                           {'\\', "\\\\"},
                                                                           {'\'', "\\'"}}};
  for (const auto& [own, text] : escapes) {
    if (own == byte) return std::string("'") + text + "'";
  }
  const auto number = static_cast<unsigned char>(byte);
  std::array<char, 8> hex{};
  if (number < 0x20 || number == 0x7f) {
    std::snprintf(hex.data(), hex.size(), "\\x%02x", number);
    return "'" + std::string(hex.data()) + "'";
  }
  if (number < 0x80) return std::string("'") + byte + "'";
  if (number <= 0xa0 || number == 0xad) {  // not printable
    std::snprintf(hex.data(), hex.size(), "\\u%04x", number);
    return "'" + std::string(hex.data()) + "'";
  }
  const std::array<char, 2> utf8 = {static_cast<char>(0xc0U | number >> 6U),
                                    static_cast<char>(0x80U | (number & 0x3fU))};
  return "'" + std::string(utf8.data(), utf8.size()) + "'";
}

/// Scans a text once, without recursion.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  std::optional<std::string> error() {
    do {
      blanks();
      if (!value_or_begin()) return std::move(error_);
    } while (!open_.empty());
    blanks();
    if (at_ < text_.size()) fail("after top-level value");
    return std::move(error_);
  }

 private:
  [[nodiscard]] bool at_end() const { return at_ == text_.size(); }
  [[nodiscard]] char here() const { return text_[at_]; }

  bool fail(const std::string& where) {
    error_ = at_end() ? "unexpected end of JSON input" : "invalid character " + quoted(here()) + " " + where;
    return false;
  }

  void blanks() {
    while (!at_end() && (here() == ' ' || here() == '\t' || here() == '\r' || here() == '\n')) ++at_;
  }

  // Reads a value with no values inside and what ends after it, or the beginning of an object or list.
  bool value_or_begin() {
    if (at_end()) return fail("looking for beginning of value");
    const char c = here();
    if (c == '{' || c == '[') return begin(c);
    if (c == '"') return string() && end_value();
    if (c == '-' || is_digit(c)) return number() && end_value();
    if (c == 't') return literal("true") && end_value();
    if (c == 'f') return literal("false") && end_value();
    if (c == 'n') return literal("null") && end_value();
    return fail("looking for beginning of value");
  }

  bool begin(char c) {
    if (open_.size() == deepest_json) return fail("exceeded max depth");
    open_.push_back(c);
    ++at_;
    blanks();
    const bool empty = !at_end() && here() == (c == '{' ? '}' : ']');
    if (!empty) return c == '[' || key();
    close();
    return end_value();
  }

  void close() {
    open_.pop_back();
    ++at_;
  }

  bool key() {
    blanks();
    if (at_end() || here() != '"') return fail("looking for beginning of object key string");
    if (!string()) return false;
    blanks();
    if (at_end() || here() != ':') return fail("after object key");
    ++at_;
    return true;
  }

  // Reads what follows a value, up to the beginning of the next value.
  bool end_value() {
    while (!open_.empty()) {
      blanks();
      const bool object = open_.back() == '{';
      if (!at_end() && here() == ',') {
        ++at_;
        return !object || key();
      }
      if (at_end() || here() != (object ? '}' : ']')) {
        return fail(object ? "after object key:value pair" : "after array element");
      }
      close();
    }
    return true;
  }

  bool string() {
    for (++at_; !at_end(); ++at_) {
      const char c = here();
      if (c == '"') {
        ++at_;
        return true;
      }
      if (static_cast<unsigned char>(c) < 0x20) return fail("in string literal");
      if (c == '\\' && !escape()) return false;
    }
    return fail("in string literal");
  }

  bool escape() {
    ++at_;
    if (at_end() || std::string_view("bfnrt\\/\"u").find(here()) == std::string_view::npos) {
      return fail("in string escape code");
    }
    if (here() != 'u') return true;
    for (int digit = 0; digit < 4; ++digit) {
      ++at_;
      if (at_end() || !is_hex(here())) return fail("in \\u hexadecimal character escape");
    }
    return true;
  }

  void digits() {
    while (!at_end() && is_digit(here())) ++at_;
  }

  bool number() {
    if (here() == '-') ++at_;
    if (at_end() || !is_digit(here())) return fail("in numeric literal");
    if (here() == '0') {
      ++at_;
    } else {
      digits();
    }
    if (!at_end() && here() == '.') {
      ++at_;
      if (at_end() || !is_digit(here())) return fail("after decimal point in numeric literal");
      digits();
    }
    if (at_end() || (here() != 'e' && here() != 'E')) return true;
    ++at_;
    if (!at_end() && (here() == '+' || here() == '-')) ++at_;
    if (at_end() || !is_digit(here())) return fail("in exponent of numeric literal");
    digits();
    return true;
  }

  bool literal(std::string_view word) {
    for (const char expected : word) {
      if (at_end() || here() != expected) {
        return fail("in literal " + std::string(word) + " (expecting '" + expected + "')");
      }
      ++at_;
    }
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<char> open_;
  std::optional<std::string> error_;
};

}  // namespace

std::optional<std::string> json_syntax_error(std::string_view text) {
  return Scanner(text).error();
}

}  // namespace nodebound
