#include "reference/cel/syntax/parser.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>
#include <utility>

#include "reference/cel/syntax/lexer.h"
#include "reference/cel/syntax/literals.h"
#include "reference/cel/syntax/macros.h"

namespace nodebound::cel {

namespace {

// cel-go's limits (parser/parser.go).
constexpr int deepest = 250;
constexpr std::size_t longest = 100'000;

const std::set<std::string, std::less<>>& reserved() {
  static const std::set<std::string, std::less<>> words = {
      "as",  "break", "const",   "continue",  "else", "false",  "for",  "function", "if",   "import", "in",
      "let", "loop",  "package", "namespace", "null", "return", "true", "var",      "void", "while"};
  return words;
}

// Ends parsing: an issue has been reported.
struct Stop {};

// A rule of cel-go's grammar that can contain itself.
enum class Rule { expression, conditional_or, conditional_and, relation, calculation, unary, member, primary, count };

// A set of tokens.
class Tokens {
 public:
  constexpr Tokens() = default;
  template <typename... Kind>
  explicit constexpr Tokens(Kind... kinds) : bits_((bit(kinds) | ...)) {}
  [[nodiscard]] constexpr bool contains(TokenKind kind) const { return (bits_ & bit(kind)) != 0; }
  constexpr Tokens operator|(Tokens other) const {
    other.bits_ |= bits_;
    return other;
  }
  // As ANTLR lists them: in the order of the grammar.
  [[nodiscard]] std::string text() const {
    std::string out;
    int count = 0;
    for (int i = 0; i <= static_cast<int>(TokenKind::escaped_identifier); ++i) {
      const auto kind = static_cast<TokenKind>(i);
      if (!contains(kind)) continue;
      out.append(out.empty() ? "" : ", ").append(spelled(kind));
      ++count;
    }
    return count == 1 ? out : "{" + out + "}";
  }

 private:
  static constexpr std::uint64_t bit(TokenKind kind) { return std::uint64_t{1} << static_cast<unsigned>(kind); }
  std::uint64_t bits_ = 0;
};

constexpr Tokens starters(TokenKind::left_bracket, TokenKind::left_brace, TokenKind::left_parenthesis, TokenKind::dot,
                          TokenKind::minus, TokenKind::exclamation, TokenKind::true_, TokenKind::false_,
                          TokenKind::null, TokenKind::floating, TokenKind::integer, TokenKind::unsigned_integer,
                          TokenKind::string, TokenKind::bytes, TokenKind::identifier);
// What may follow an operand, besides what ends the expression.
constexpr Tokens operators_and_suffixes(TokenKind::equals, TokenKind::not_equals, TokenKind::in, TokenKind::less,
                                        TokenKind::less_equals, TokenKind::greater_equals, TokenKind::greater,
                                        TokenKind::logical_and, TokenKind::logical_or, TokenKind::left_bracket,
                                        TokenKind::dot, TokenKind::minus, TokenKind::question, TokenKind::plus,
                                        TokenKind::star, TokenKind::slash, TokenKind::percent);
constexpr Tokens identifiers(TokenKind::identifier, TokenKind::escaped_identifier);

// Recursive descent along cel-go's grammar (parser/gen/CEL.g4).
class Parser {
 public:
  Parser(const Source& source, const Environment& environment, Issues& issues)
      : source_(source), environment_(environment), issues_(issues), tokens_(tokens_of(source, issues)) {}

  ExprPtr parse() {
    ExprPtr out = expression(Tokens(TokenKind::end));
    expect(TokenKind::end, {});
    if (out->height > deepest) issues_.report(nowhere, "max recursion depth exceeded");
    return out;
  }

 private:
  // Counts how deep a rule is nested.
  class Level {
   public:
    Level(Parser& parser, Rule rule) : depth_(parser.depths_[static_cast<std::size_t>(rule)]) {
      if (++depth_ <= deepest) return;
      --depth_;
      parser.issues_.report(nowhere, "expression recursion limit exceeded: " + std::to_string(deepest));
      throw Stop{};
    }
    ~Level() { --depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    int& depth_;
  };

  [[nodiscard]] const Token& peek(std::size_t ahead = 0) const {
    return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
  }
  [[nodiscard]] bool is(TokenKind kind, std::size_t ahead = 0) const { return peek(ahead).kind == kind; }
  Token take() {
    recovering_ = false;
    const Token out = peek();
    if (at_ + 1 < tokens_.size()) ++at_;
    return out;
  }
  bool skip(TokenKind kind) {
    if (!is(kind)) return false;
    take();
    return true;
  }
  // Takes the token. Where it is missing, or where one stands before it that does not belong there, that is reported
  // and parsing goes on, as ANTLR does (DefaultErrorStrategy.RecoverInline). `after` are the tokens that may follow it.
  Token expect(TokenKind kind, Tokens after) {
    if (is(kind)) return take();
    if (is(kind, 1)) {
      unwanted(Tokens(kind));
      return take();
    }
    if (!after.contains(peek().kind)) mismatched(Tokens(kind));
    report("missing " + Tokens(kind).text() + " at '" + text(peek()) + "'");
    recovering_ = true;
    return {kind, peek().begin, peek().begin};
  }
  // Before what begins with one of these tokens (DefaultErrorStrategy.Sync).
  void expect_one(Tokens tokens) {
    if (tokens.contains(peek().kind)) return;
    if (!tokens.contains(peek(1).kind) || is(TokenKind::end)) mismatched(tokens);
    unwanted(tokens);
  }
  void unwanted(Tokens expected) {
    report("extraneous input '" + text(peek()) + "' expecting " + expected.text());
    take();
  }
  [[noreturn]] void mismatched(Tokens expected) {
    report("mismatched input '" + text(peek()) + "' expecting " + expected.text());
    throw Stop{};
  }
  // What follows a dot decides how to go on, and this does not: `begin` is the dot.
  [[noreturn]] void no_way(const Token& begin) {
    const bool reserved_word = is(TokenKind::true_) || is(TokenKind::false_) || is(TokenKind::null);
    if (reserved_word && peek().begin == begin.end) mismatched(Tokens(TokenKind::identifier));
    report("no viable alternative at input '" + source_.text(begin.begin, peek().end) + "'");
    throw Stop{};
  }
  void report(const std::string& what) {
    if (!recovering_) issues_.report(peek().begin, "Syntax error: " + what);
  }
  [[nodiscard]] std::string text(const Token& token) const {
    return token.kind == TokenKind::end ? "<EOF>" : source_.text(token.begin, token.end);
  }

  static ExprPtr node(Expr::Kind kind, Offset at) {
    auto out = std::make_unique<Expr>();
    out->kind = kind;
    out->at = at;
    return out;
  }
  static ExprPtr literal(Literal value, Offset at) {
    ExprPtr out = node(Expr::Kind::literal, at);
    out->literal = std::move(value);
    return out;
  }
  // Parsing goes on after such a mistake.
  ExprPtr mistake(Offset at, std::string message) {
    issues_.report(at, std::move(message));
    return literal(Null{}, at);
  }

  ExprPtr call(std::string name, Offset at, ExprPtr target, std::vector<ExprPtr> arguments) {
    int height = target ? target->height : 0;
    for (const ExprPtr& one : arguments) height = std::max(height, one->height);
    if (target) ++height;
    MacroCall macro{name, at, std::move(target), std::move(arguments)};
    if (is_macro(environment_, macro)) {
      tl::expected<ExprPtr, MacroMistake> expanded = expand(std::move(macro));
      if (!expanded) return mistake(expanded.error().at, expanded.error().message);
      (*expanded)->height = height;
      return std::move(*expanded);
    }
    ExprPtr out = node(Expr::Kind::call, at);
    out->is_member = macro.target != nullptr;
    if (macro.target) out->children.push_back(std::move(macro.target));
    for (ExprPtr& one : macro.arguments) out->children.push_back(std::move(one));
    out->name = std::move(name);
    out->height = height;
    return out;
  }
  template <typename... Operand>
  ExprPtr operation(std::string name, Offset at, Operand... operands) {
    ExprPtr out = node(Expr::Kind::call, at);
    out->name = std::move(name);
    (out->children.push_back(std::move(operands)), ...);
    // cel-go does not count these.
    const bool is_free = out->name == "_&&_" || out->name == "_||_" || out->name == "!_" || out->name == "-_";
    out->height = highest(*out) + (is_free ? 0 : 1);
    return out;
  }
  static int highest(const Expr& expr) {
    int out = 0;
    for (const ExprPtr& child : expr.children) out = std::max(out, child->height);
    return out;
  }

  // `follow` are the tokens after it that end it.
  ExprPtr expression(Tokens follow) {
    const Tokens outer = std::exchange(follow_, follow);
    ExprPtr out = ternary();
    follow_ = outer;
    return out;
  }

  ExprPtr ternary() {
    Level level(*this, Rule::expression);
    ExprPtr condition = logical(TokenKind::logical_or);
    if (!is(TokenKind::question)) return condition;
    const Offset at = take().begin;
    ExprPtr if_true = logical(TokenKind::logical_or);
    expect(TokenKind::colon, starters);
    ExprPtr if_false = expression(follow_);
    return operation("_?_:_", at, std::move(condition), std::move(if_true), std::move(if_false));
  }

  ExprPtr logical(TokenKind op) {
    const bool is_or = op == TokenKind::logical_or;
    Level level(*this, is_or ? Rule::conditional_or : Rule::conditional_and);
    const auto term = [&] { return is_or ? logical(TokenKind::logical_and) : relation(0); };
    std::vector<ExprPtr> terms;
    std::vector<Offset> operators;
    terms.push_back(term());
    while (is(op)) {
      operators.push_back(take().begin);
      terms.push_back(term());
    }
    return balanced(is_or ? "_||_" : "_&&_", terms, operators, 0, operators.size());
  }

  // A chain of && or || becomes a tree of logarithmic depth, as cel-go builds it.
  ExprPtr balanced(const char* name, std::vector<ExprPtr>& terms, const std::vector<Offset>& operators, std::size_t low,
                   std::size_t high) {
    if (low == high) return std::move(terms[low]);
    const std::size_t middle = (low + high) / 2;
    ExprPtr left = balanced(name, terms, operators, low, middle);
    return operation(name, operators[middle], std::move(left), balanced(name, terms, operators, middle + 1, high));
  }

  struct Operator {
    const char* name = nullptr;
    int strength = 0;
  };

  [[nodiscard]] Operator relation_operator() const {
    switch (peek().kind) {
      case TokenKind::less:
        return {"_<_", 1};
      case TokenKind::less_equals:
        return {"_<=_", 1};
      case TokenKind::greater_equals:
        return {"_>=_", 1};
      case TokenKind::greater:
        return {"_>_", 1};
      case TokenKind::equals:
        return {"_==_", 1};
      case TokenKind::not_equals:
        return {"_!=_", 1};
      case TokenKind::in:
        return {"@in", 1};
      default:
        return {};
    }
  }
  [[nodiscard]] Operator calculation_operator() const {
    switch (peek().kind) {
      case TokenKind::star:
        return {"_*_", 2};
      case TokenKind::slash:
        return {"_/_", 2};
      case TokenKind::percent:
        return {"_%_", 2};
      case TokenKind::plus:
        return {"_+_", 1};
      case TokenKind::minus:
        return {"_-_", 1};
      default:
        return {};
    }
  }

  ExprPtr relation(int at_least) {
    Level level(*this, Rule::relation);
    ExprPtr out = calculation(0);
    for (Operator op = relation_operator(); op.name != nullptr && op.strength > at_least; op = relation_operator()) {
      const Offset at = take().begin;
      out = operation(op.name, at, std::move(out), relation(op.strength));
    }
    return out;
  }

  ExprPtr calculation(int at_least) {
    Level level(*this, Rule::calculation);
    ExprPtr out = unary();
    for (Operator op = calculation_operator(); op.name != nullptr && op.strength > at_least;
         op = calculation_operator()) {
      const Offset at = take().begin;
      out = operation(op.name, at, std::move(out), calculation(op.strength));
    }
    return out;
  }

  ExprPtr unary() {
    Level level(*this, Rule::unary);
    expect_one(starters);
    for (const TokenKind op : {TokenKind::exclamation, TokenKind::minus}) {
      if (!is(op)) continue;
      // The sign of a number is the number's own.
      if (op == TokenKind::minus && (is(TokenKind::integer, 1) || is(TokenKind::floating, 1))) break;
      const Offset at = peek().begin;
      std::size_t count = 0;
      while (skip(op)) ++count;
      ExprPtr operand = member();
      if (count % 2 == 0) return operand;
      return operation(op == TokenKind::minus ? "-_" : "!_", at, std::move(operand));
    }
    return member();
  }

  ExprPtr member() {
    Level level(*this, Rule::member);
    ExprPtr out = primary();
    while (is(TokenKind::dot) || is(TokenKind::left_bracket)) {
      out = is(TokenKind::dot) ? selection(std::move(out)) : index(std::move(out));
    }
    return out;
  }

  ExprPtr selection(ExprPtr operand) {
    const Token dot = take();
    const Offset at = dot.begin;
    const bool optional = skip(TokenKind::question);
    if (optional) {
      expect_one(identifiers);
    } else if (!identifiers.contains(peek().kind)) {
      no_way(dot);
    }
    const Token id = take();
    if (!optional && id.kind == TokenKind::identifier && is(TokenKind::left_parenthesis)) {
      const Offset open = take().begin;
      std::vector<ExprPtr> list = arguments(TokenKind::right_parenthesis);
      return call(text(id), open, std::move(operand), std::move(list));
    }
    std::string name = text(id);
    if (id.kind == TokenKind::escaped_identifier) {
      issues_.report(id.begin, "unsupported syntax: '`'");
      name.clear();
    }
    if (optional) return operation("_?._", at, std::move(operand), literal(std::move(name), id.begin));
    ExprPtr out = node(Expr::Kind::select, at);
    out->children.push_back(std::move(operand));
    out->name = std::move(name);
    out->height = highest(*out) + 1;
    return out;
  }

  ExprPtr index(ExprPtr operand) {
    const Offset at = take().begin;
    expect_one(starters | Tokens(TokenKind::question));
    const bool optional = skip(TokenKind::question);
    ExprPtr key = expression(Tokens(TokenKind::right_bracket));
    expect(TokenKind::right_bracket, operators_and_suffixes | follow_);
    return operation(optional ? "_[?_]" : "_[_]", at, std::move(operand), std::move(key));
  }

  // Up to the closing parenthesis, which it takes.
  std::vector<ExprPtr> arguments(TokenKind closing) {
    std::vector<ExprPtr> out;
    expect_one(starters | Tokens(closing));
    if (skip(closing)) return out;
    do out.push_back(expression(Tokens(TokenKind::comma, closing)));
    while (skip(TokenKind::comma));
    expect(closing, operators_and_suffixes | follow_);
    return out;
  }

  ExprPtr primary() {
    Level level(*this, Rule::primary);
    switch (peek().kind) {
      case TokenKind::dot:
      case TokenKind::identifier:
        return named();
      case TokenKind::left_parenthesis: {
        take();
        ExprPtr out = expression(Tokens(TokenKind::right_parenthesis));
        expect(TokenKind::right_parenthesis, operators_and_suffixes | follow_);
        return out;
      }
      case TokenKind::left_bracket:
        return list();
      case TokenKind::left_brace:
        return map();
      default:
        return constant();
    }
  }

  ExprPtr named() {
    const Token first = peek();
    const Offset start = first.begin;
    const std::string leading = skip(TokenKind::dot) ? "." : "";
    if (message_follows()) return message(leading);
    if (!is(TokenKind::identifier)) no_way(first);
    const Token id = take();
    const std::string name = text(id);
    const bool is_call = is(TokenKind::left_parenthesis);
    const Offset open = peek().begin;
    std::vector<ExprPtr> list;
    if (is_call) {
      take();
      list = arguments(TokenKind::right_parenthesis);
    }
    if (reserved().contains(name)) return mistake(start, "reserved identifier: " + name);
    if (is_call) return call(leading + name, open, nullptr, std::move(list));
    ExprPtr out = node(Expr::Kind::ident, id.begin);
    out->name = leading + name;
    return out;
  }

  // `a.b.C{` here?
  [[nodiscard]] bool message_follows() const {
    std::size_t ahead = 0;
    while (is(TokenKind::identifier, ahead)) {
      if (is(TokenKind::left_brace, ahead + 1)) return true;
      if (!is(TokenKind::dot, ahead + 1)) return false;
      ahead += 2;
    }
    return false;
  }

  ExprPtr message(std::string name) {
    name += text(take());
    while (skip(TokenKind::dot)) name += "." + text(take());
    ExprPtr out = node(Expr::Kind::message, take().begin);
    out->name = std::move(name);
    bool more = !is(TokenKind::right_brace) && !is(TokenKind::comma);
    while (more) {
      out->optional.push_back(skip(TokenKind::question));
      expect_one(identifiers);
      const Token field = take();
      if (field.kind == TokenKind::escaped_identifier) issues_.report(field.begin, "unsupported syntax: '`'");
      out->fields.push_back(text(field));
      out->entries.push_back(expect(TokenKind::colon, starters).begin);
      out->children.push_back(expression(Tokens(TokenKind::comma, TokenKind::right_brace)));
      more = another_entry(TokenKind::right_brace);
    }
    skip(TokenKind::comma);
    expect(TokenKind::right_brace, operators_and_suffixes | follow_);
    out->height = highest(*out);
    return out;
  }

  // Takes the comma that leads to another entry. A comma before anything else is the last one, which is allowed.
  bool another_entry(TokenKind closing) {
    expect_one(Tokens(closing, TokenKind::comma));
    if (!is(TokenKind::comma)) return false;
    const TokenKind next = peek(1).kind;
    const bool more = (starters | Tokens(TokenKind::question)).contains(next);
    if (more) take();
    return more;
  }

  ExprPtr list() {
    ExprPtr out = node(Expr::Kind::list, take().begin);
    expect_one(starters | Tokens(TokenKind::right_bracket, TokenKind::comma, TokenKind::question));
    bool more = !is(TokenKind::right_bracket) && !is(TokenKind::comma);
    while (more) {
      out->optional.push_back(skip(TokenKind::question));
      out->children.push_back(expression(Tokens(TokenKind::comma, TokenKind::right_bracket)));
      more = another_entry(TokenKind::right_bracket);
    }
    skip(TokenKind::comma);
    expect(TokenKind::right_bracket, operators_and_suffixes | follow_);
    out->height = highest(*out);
    return out;
  }

  ExprPtr map() {
    ExprPtr out = node(Expr::Kind::map, take().begin);
    expect_one(starters | Tokens(TokenKind::right_brace, TokenKind::comma, TokenKind::question));
    bool more = !is(TokenKind::right_brace) && !is(TokenKind::comma);
    while (more) {
      out->optional.push_back(skip(TokenKind::question));
      out->children.push_back(expression(Tokens(TokenKind::colon)));
      out->entries.push_back(expect(TokenKind::colon, starters).begin);
      out->children.push_back(expression(Tokens(TokenKind::comma, TokenKind::right_brace)));
      more = another_entry(TokenKind::right_brace);
    }
    skip(TokenKind::comma);
    expect(TokenKind::right_brace, operators_and_suffixes | follow_);
    out->height = highest(*out);
    return out;
  }

  ExprPtr constant() {
    const Offset at = peek().begin;
    const bool negative = is(TokenKind::minus) && (is(TokenKind::integer, 1) || is(TokenKind::floating, 1));
    if (negative) take();
    const Token token = peek();
    std::string digits = text(token);
    switch (token.kind) {
      case TokenKind::integer:
        take();
        return integer((negative ? "-" : "") + digits, at);
      case TokenKind::unsigned_integer:
        take();
        return unsigned_integer(digits.substr(0, digits.size() - 1), at);
      case TokenKind::floating:
        take();
        return floating((negative ? "-" : "") + digits, at);
      case TokenKind::string:
      case TokenKind::bytes:
        take();
        return quoted(token.kind, digits, at);
      case TokenKind::true_:
        take();
        return literal(true, at);
      case TokenKind::false_:
        take();
        return literal(false, at);
      case TokenKind::null:
        take();
        return literal(Null{}, at);
      default:
        mismatched(starters);
    }
  }

  template <typename Number>
  static bool read(std::string digits, Number& out) {
    const std::size_t sign = digits[0] == '-' ? 1 : 0;
    const bool hex = digits.compare(sign, 2, "0x") == 0;
    if (hex) digits.erase(sign, 2);
    const char* const end = digits.data() + digits.size();
    const auto [rest, error] = std::from_chars(digits.data(), end, out, hex ? 16 : 10);
    return error == std::errc() && rest == end;
  }
  ExprPtr integer(std::string digits, Offset at) {
    std::int64_t value = 0;
    if (!read(std::move(digits), value)) return mistake(at, "invalid int literal");
    return literal(value, at);
  }
  ExprPtr unsigned_integer(std::string digits, Offset at) {
    std::uint64_t value = 0;
    if (!read(std::move(digits), value)) return mistake(at, "invalid uint literal");
    return literal(value, at);
  }
  ExprPtr floating(const std::string& digits, Offset at) {
    const double value = std::strtod(digits.c_str(), nullptr);
    if (std::isinf(value)) return mistake(at, "invalid double literal");
    return literal(value, at);
  }
  ExprPtr quoted(TokenKind kind, std::string_view text, Offset at) {
    const bool bytes = kind == TokenKind::bytes;
    if (bytes) text.remove_prefix(1);
    tl::expected<std::string, std::string> value = unescape(text, bytes);
    if (!value) return mistake(at, value.error());
    if (bytes) return literal(Bytes{std::move(*value)}, at);
    return literal(std::move(*value), at);
  }

  const Source& source_;
  const Environment& environment_;
  Issues& issues_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  bool recovering_ = false;  ///< from a missing token: until the next one is taken nothing more is reported
  Tokens follow_;            ///< what may stand after the expression that is being parsed
  std::array<int, static_cast<std::size_t>(Rule::count)> depths_{};
};

}  // namespace

ExprPtr parse(const Source& source, const Environment& environment, Issues& issues) {
  if (source.code_points().size() > longest) {
    issues.report(nowhere, "expression code point size exceeds limit: size: " +
                               std::to_string(source.code_points().size()) + ", limit " + std::to_string(longest));
    return nullptr;
  }
  try {
    return Parser(source, environment, issues).parse();
  } catch (const Stop&) {
    return nullptr;
  }
}

}  // namespace nodebound::cel
