#include "reference/cel/syntax/lexer.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string_view>

namespace nodebound::cel {

namespace {

constexpr std::array<std::string_view, 36> spellings = {
    "<EOF>",   "'=='",   "'!='",      "'in'",    "'<'",      "'<='",   "'>='",  "'>'",        "'&&'",
    "'||'",    "'['",    "']'",       "'{'",     "'}'",      "'('",    "')'",   "'.'",        "','",
    "'-'",     "'!'",    "'?'",       "':'",     "'+'",      "'*'",    "'/'",   "'%'",        "'true'",
    "'false'", "'null'", "NUM_FLOAT", "NUM_INT", "NUM_UINT", "STRING", "BYTES", "IDENTIFIER", "ESC_IDENTIFIER"};

bool is_digit(char32_t c) {
  return c >= U'0' && c <= U'9';
}
bool is_octal(char32_t c) {
  return c >= U'0' && c <= U'7';
}
bool is_letter(char32_t c) {
  return (c >= U'a' && c <= U'z') || (c >= U'A' && c <= U'Z');
}
bool is_hex(char32_t c) {
  return is_digit(c) || (c >= U'a' && c <= U'f') || (c >= U'A' && c <= U'F');
}
bool is_word(char32_t c) {
  return is_letter(c) || is_digit(c) || c == U'_';
}
bool is_escaped_word(char32_t c) {
  return is_word(c) || c == U'.' || c == U'-' || c == U'/' || c == U' ';
}

// Past the end of the source.
constexpr char32_t none = 0xFFFFFFFF;

// Finds the longest token at a place, by cel-go's grammar (parser/gen/CEL.g4), and how far any token would reach.
class Scanner {
 public:
  Scanner(const std::u32string& text, Offset begin) : text_(text), begin_(begin), at_(begin) {}

  // Whether there is a token; `end` and `kind` tell which.
  bool scan() {
    const char32_t first = peek();
    if (is_letter(first) || first == U'_') {
      word();
    } else if (is_digit(first) || (first == U'.' && is_digit(peek(1)))) {
      number();
    } else if (first == U'"' || first == U'\'') {
      string(TokenKind::string, false);
    } else if (first == U'`') {
      escaped_identifier();
    } else {
      symbol();
    }
    return end_ > begin_;
  }

  TokenKind kind = TokenKind::end;
  [[nodiscard]] Offset end() const { return end_; }
  // The first code point that no token could have here.
  [[nodiscard]] Offset reached() const { return reached_; }

 private:
  [[nodiscard]] char32_t peek(Offset ahead = 0) const {
    const auto i = static_cast<std::size_t>(at_ + ahead);
    return i < text_.size() ? text_[i] : none;
  }
  void accept(TokenKind of) {
    if (at_ > end_) {
      end_ = at_;
      kind = of;
    }
    reach();
  }
  void reach() { reached_ = std::max(reached_, at_); }
  bool take(char32_t c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }

  void word() {
    // r"…", b"…", br"…": strings, if they end; otherwise the prefix is an identifier.
    Offset prefix = 0;
    TokenKind literal = TokenKind::string;
    if (peek() == U'b' || peek() == U'B') {
      literal = TokenKind::bytes;
      prefix = 1;
    }
    const char32_t maybe_raw = peek(prefix);
    const bool raw = maybe_raw == U'r' || maybe_raw == U'R';
    if (raw) ++prefix;
    if (prefix > 0 && (peek(prefix) == U'"' || peek(prefix) == U'\'')) {
      at_ = begin_ + prefix;
      string(literal, raw);
      at_ = begin_;
    }
    while (is_word(peek())) ++at_;
    accept(TokenKind::identifier);
    if (kind == TokenKind::identifier) keyword();
  }

  void keyword() {
    const std::u32string_view word(text_.data() + begin_, static_cast<std::size_t>(end_ - begin_));
    if (word == U"in") kind = TokenKind::in;
    if (word == U"true") kind = TokenKind::true_;
    if (word == U"false") kind = TokenKind::false_;
    if (word == U"null") kind = TokenKind::null;
  }

  void number() {
    if (peek() == U'0' && peek(1) == U'x') {
      at_ += 2;
      reach();
      const Offset digits = at_;
      while (is_hex(peek())) ++at_;
      if (at_ > digits) {
        accept(TokenKind::integer);
        if (take(U'u') || take(U'U')) accept(TokenKind::unsigned_integer);
        return;
      }
      at_ = begin_;
    }
    while (is_digit(peek())) ++at_;
    if (at_ > begin_) {
      accept(TokenKind::integer);
      if (peek() == U'u' || peek() == U'U') {
        ++at_;
        accept(TokenKind::unsigned_integer);
        return;
      }
    }
    if (peek() == U'.') {
      const Offset point = at_;
      ++at_;
      reach();
      if (!is_digit(peek())) {
        at_ = point;
        return;
      }
      while (is_digit(peek())) ++at_;
      accept(TokenKind::floating);
    }
    if (peek() != U'e' && peek() != U'E') return;
    ++at_;
    if (peek() == U'+' || peek() == U'-') ++at_;
    reach();
    if (!is_digit(peek())) return;
    while (is_digit(peek())) ++at_;
    accept(TokenKind::floating);
  }

  void string(TokenKind of, bool raw) {
    const Offset opening = at_;
    const char32_t quote = peek();
    if (peek(1) == quote && peek(2) == quote) {
      at_ += 3;
      long_string(of, raw, quote);
      at_ = opening;
    }
    ++at_;
    while (peek() != quote) {
      if (peek() == none || peek() == U'\n' || peek() == U'\r' || !text_character(raw)) {
        reach();
        return;
      }
    }
    ++at_;
    accept(of);
  }

  // The first three quotes end it.
  void long_string(TokenKind of, bool raw, char32_t quote) {
    while (!(peek() == quote && peek(1) == quote && peek(2) == quote)) {
      if (peek() == none || !text_character(raw)) {
        reach();
        return;
      }
    }
    at_ += 3;
    accept(of);
  }

  // One character or escape inside quotes.
  bool text_character(bool raw) {
    if (raw || peek() != U'\\') {
      ++at_;
      return true;
    }
    ++at_;
    const char32_t escape = peek();
    constexpr std::u32string_view simple = U"abfnrtv\"'\\?`";
    if (simple.find(escape) != std::u32string_view::npos) {
      ++at_;
      return true;
    }
    if (escape >= U'0' && escape <= U'3') {
      ++at_;
      return take_digits(2, is_octal);
    }
    int digits = 0;
    if (escape == U'x' || escape == U'X') digits = 2;
    if (escape == U'u') digits = 4;
    if (escape == U'U') digits = 8;
    if (digits == 0) return false;
    ++at_;
    return take_digits(digits, is_hex);
  }

  bool take_digits(int count, bool (*is_one)(char32_t)) {
    for (int i = 0; i < count; ++i) {
      if (!is_one(peek())) return false;
      ++at_;
    }
    return true;
  }

  void escaped_identifier() {
    ++at_;
    const Offset first = at_;
    while (is_escaped_word(peek())) ++at_;
    reach();
    if (at_ > first && take(U'`')) accept(TokenKind::escaped_identifier);
  }

  void symbol() {
    struct Symbol {
      std::u32string_view text;
      TokenKind kind;
    };
    static constexpr std::array<Symbol, 24> symbols = {{
        {U"==", TokenKind::equals},
        {U"!=", TokenKind::not_equals},
        {U"<=", TokenKind::less_equals},
        {U">=", TokenKind::greater_equals},
        {U"&&", TokenKind::logical_and},
        {U"||", TokenKind::logical_or},
        {U"<", TokenKind::less},
        {U">", TokenKind::greater},
        {U"[", TokenKind::left_bracket},
        {U"]", TokenKind::right_bracket},
        {U"{", TokenKind::left_brace},
        {U"}", TokenKind::right_brace},
        {U"(", TokenKind::left_parenthesis},
        {U")", TokenKind::right_parenthesis},
        {U".", TokenKind::dot},
        {U",", TokenKind::comma},
        {U"-", TokenKind::minus},
        {U"!", TokenKind::exclamation},
        {U"?", TokenKind::question},
        {U":", TokenKind::colon},
        {U"+", TokenKind::plus},
        {U"*", TokenKind::star},
        {U"/", TokenKind::slash},
        {U"%", TokenKind::percent},
    }};
    const std::u32string_view rest = std::u32string_view(text_).substr(static_cast<std::size_t>(begin_));
    for (const Symbol& one : symbols) {
      if (rest.substr(0, one.text.size()) != one.text) continue;
      at_ += static_cast<Offset>(one.text.size());
      accept(one.kind);
      return;
    }
    // `=`, `&` and `|` begin a token; the one after them is wrong.
    if (!rest.empty() && (rest[0] == U'=' || rest[0] == U'&' || rest[0] == U'|')) ++at_;
    reach();
  }

  const std::u32string& text_;
  Offset begin_;
  Offset at_;
  Offset end_ = begin_;
  Offset reached_ = begin_;
};

bool is_blank(char32_t c) {
  return c == U'\t' || c == U' ' || c == U'\r' || c == U'\n' || c == U'\f';
}

}  // namespace

std::string_view spelled(TokenKind kind) {
  return spellings[static_cast<std::size_t>(kind)];
}

std::vector<Token> tokens_of(const Source& source, Issues& issues) {
  const std::u32string& text = source.code_points();
  const auto size = static_cast<Offset>(text.size());
  const auto is_at = [&](Offset at, char32_t c) { return at < size && text[static_cast<std::size_t>(at)] == c; };
  std::vector<Token> out;
  Offset at = 0;
  while (at < size) {
    if (is_blank(text[static_cast<std::size_t>(at)])) {
      ++at;
      continue;
    }
    if (is_at(at, U'/') && is_at(at + 1, U'/')) {
      while (at < size && !is_at(at, U'\n')) ++at;
      continue;
    }
    Scanner scanner(text, at);
    if (scanner.scan()) {
      out.push_back({scanner.kind, at, scanner.end()});
      at = scanner.end();
      continue;
    }
    // ANTLR names and skips all that it has read, with the character that fits no token.
    const Offset next = std::min(scanner.reached() + 1, size);
    issues.report(at, "Syntax error: token recognition error at: '" + source.text(at, next) + "'");
    at = next;
  }
  out.push_back({TokenKind::end, size, size});
  return out;
}

}  // namespace nodebound::cel
