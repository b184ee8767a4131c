#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reference/cel/syntax/source.h"

namespace nodebound::cel {

enum class TokenKind : std::uint8_t {
  end,
  equals,
  not_equals,
  in,
  less,
  less_equals,
  greater_equals,
  greater,
  logical_and,
  logical_or,
  left_bracket,
  right_bracket,
  left_brace,
  right_brace,
  left_parenthesis,
  right_parenthesis,
  dot,
  comma,
  minus,
  exclamation,
  question,
  colon,
  plus,
  star,
  slash,
  percent,
  true_,
  false_,
  null,
  floating,
  integer,
  unsigned_integer,
  string,
  bytes,
  identifier,
  escaped_identifier,
};

/// The token as cel-go's grammar names it in errors: `'=='`, `IDENTIFIER`.
std::string_view spelled(TokenKind kind);

struct Token {
  TokenKind kind = TokenKind::end;
  Offset begin = 0;
  Offset end = 0;
};

/// Splits the source into tokens, the last of which is `end`. Reports what belongs to none and skips it.
std::vector<Token> tokens_of(const Source& source, Issues& issues);

}  // namespace nodebound::cel
