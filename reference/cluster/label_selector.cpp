#include "reference/cluster/label_selector.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <utility>

#include "reference/cluster/names.h"

namespace nodebound {
namespace {

using Op = LabelSelector::Op;
using Requirement = LabelSelector::Requirement;

constexpr std::pair<std::string_view, Op> api_operators[] = {
    {"In", Op::in}, {"NotIn", Op::not_in}, {"Exists", Op::exists}, {"DoesNotExist", Op::does_not_exist}};

/// A selector's syntax error, which only `parse` catches.
struct Mistake {
  std::string what;
};

std::string in_quotes(std::string_view text) {
  return "'" + std::string(text) + "'";
}

struct Token {
  enum class Kind { end, identifier, symbol };
  Kind kind = Kind::end;
  std::string text;

  [[nodiscard]] bool is(std::string_view symbol) const { return kind == Kind::symbol && text == symbol; }
};

class Lexer {
 public:
  explicit Lexer(std::string_view text) : rest_(text) {}

  Token next() {
    while (!rest_.empty() && is_space(rest_.front())) rest_.remove_prefix(1);
    if (rest_.empty()) return {};
    if (!is_special(rest_.front())) {
      const auto end = std::find_if(rest_.begin(), rest_.end(), [](char c) { return is_special(c) || is_space(c); });
      return {Token::Kind::identifier, std::string(taken(static_cast<std::size_t>(end - rest_.begin())))};
    }
    const std::size_t width = rest_.starts_with("==") || rest_.starts_with("!=") ? 2 : 1;
    return {Token::Kind::symbol, std::string(taken(width))};
  }

 private:
  static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
  static bool is_special(char c) { return std::string_view("=!(),><").find(c) != std::string_view::npos; }

  std::string_view taken(std::size_t size) {
    const std::string_view out = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return out;
  }

  std::string_view rest_;
};

// Joins the sentences about a text into one.
std::string in_one(const std::vector<std::string>& sentences) {
  std::string out;
  for (const std::string& sentence : sentences) out.append(out.empty() ? "" : "; ").append(sentence);
  return out;
}

std::optional<std::int64_t> integer(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

void check_values(const Requirement& requirement) {
  for (const std::string& value : requirement.values) {
    const bool ordered = requirement.op == Op::greater || requirement.op == Op::less;
    if (ordered && !integer(value)) {
      throw Mistake{"values[0]: Invalid value: \"" + value +
                    "\": for 'Gt', 'Lt' operators, the value must be an integer"};
    }
    const std::string wrong = in_one(wrong_label_value(value));
    if (!wrong.empty()) {
      std::string what = "values[0][" + requirement.key + "]: Invalid value: \"";
      throw Mistake{what.append(value).append("\": ").append(wrong)};
    }
  }
}

class Parser {
 public:
  explicit Parser(std::string_view text) : lexer_(text), ahead_(lexer_.next()) {}

  std::vector<Requirement> parse() {
    std::vector<Requirement> out;
    if (ahead_.kind == Token::Kind::end) return out;
    if (!begins_requirement()) throw Mistake{"found " + found() + ", expected: !, identifier, or 'end of string'"};
    while (true) {
      try {
        out.push_back(requirement());
      } catch (const Mistake& mistake) {
        throw Mistake{"unable to parse requirement: " + mistake.what};
      }
      if (ahead_.kind == Token::Kind::end) return out;
      if (!ahead_.is(",")) throw Mistake{"found " + found() + ", expected: ',' or 'end of string'"};
      consume();
      if (!begins_requirement()) throw Mistake{"found " + found() + ", expected: identifier after ','"};
    }
  }

 private:
  [[nodiscard]] bool begins_requirement() const { return ahead_.kind == Token::Kind::identifier || ahead_.is("!"); }
  [[nodiscard]] std::string found() const { return in_quotes(ahead_.text); }

  Token consume() { return std::exchange(ahead_, lexer_.next()); }

  Requirement requirement() {
    Requirement out;
    const bool negated = ahead_.is("!");
    if (negated) consume();
    if (ahead_.kind != Token::Kind::identifier) throw Mistake{"found " + found() + ", expected: identifier"};
    out.key = consume().text;
    const std::string wrong = in_one(wrong_label_key(out.key));
    if (!wrong.empty()) throw Mistake{"<nil>: Invalid value: \"" + out.key + "\": " + wrong};
    out.op = negated ? Op::does_not_exist : Op::exists;
    if (negated || ahead_.kind == Token::Kind::end || ahead_.is(",")) return out;
    const Token op = consume();
    if (op.kind == Token::Kind::identifier && (op.text == "in" || op.text == "notin")) {
      out.op = op.text == "in" ? Op::in : Op::not_in;
      out.values = values();
    } else {
      out.op = exact_operator(op);
      out.values.insert(exact_value());
    }
    check_values(out);
    return out;
  }

  static Op exact_operator(const Token& op) {
    if (op.is("=") || op.is("==")) return Op::in;
    if (op.is("!=")) return Op::not_in;
    if (op.is(">")) return Op::greater;
    if (op.is("<")) return Op::less;
    throw Mistake{"found " + in_quotes(op.text) + ", expected: in, notin, =, ==, !=, gt, lt"};
  }

  std::string exact_value() {
    if (ahead_.kind == Token::Kind::end || ahead_.is(",")) return "";
    if (ahead_.kind != Token::Kind::identifier) throw Mistake{"found " + found() + ", expected: identifier"};
    return consume().text;
  }

  // An empty place between commas or parentheses is the empty value.
  std::set<std::string, std::less<>> values() {
    if (!ahead_.is("(")) throw Mistake{"found " + found() + " expected: '('"};
    consume();
    if (ahead_.kind != Token::Kind::identifier && !ahead_.is(",") && !ahead_.is(")")) {
      throw Mistake{"found " + found() + ", expected: ',', ')' or identifier"};
    }
    std::set<std::string, std::less<>> out;
    while (true) {
      out.insert(ahead_.kind == Token::Kind::identifier ? consume().text : std::string());
      if (ahead_.is(")")) break;
      if (!ahead_.is(",")) throw Mistake{"found " + found() + ", expected: ',' or ')'"};
      consume();
    }
    consume();
    return out;
  }

  Lexer lexer_;
  Token ahead_;
};

bool holds(const Requirement& requirement, const Object& labels) {
  const Object& label = member(labels, requirement.key);
  const std::string_view value = label.is_string() ? std::string_view(label.get_ref<const std::string&>()) : "";
  const bool there = !label.is_null();
  switch (requirement.op) {
    case Op::in:
      return there && requirement.values.contains(value);
    case Op::not_in:
      return !there || !requirement.values.contains(value);
    case Op::exists:
      return there;
    case Op::does_not_exist:
      return !there;
    case Op::greater:
    case Op::less: {
      const std::optional<std::int64_t> own = integer(value);
      const std::optional<std::int64_t> bound = integer(*requirement.values.begin());
      return there && own && bound && (requirement.op == Op::greater ? *own > *bound : *own < *bound);
    }
  }
  return false;
}

}  // namespace

std::optional<LabelSelector> LabelSelector::of(const Object& selector) {
  LabelSelector out;
  for (const auto& [key, value] : member(selector, "matchLabels").items()) {
    out.requirements_.push_back({key, Op::in, {value.is_string() ? value.get<std::string>() : std::string()}});
  }
  for (const Object& expression : member(selector, "matchExpressions")) {
    const std::string_view name = text(expression, "operator");
    const auto found = std::find_if(std::begin(api_operators), std::end(api_operators),
                                    [&](const auto& own) { return own.first == name; });
    if (found == std::end(api_operators)) return std::nullopt;
    const std::vector<std::string> values = strings_of(member(expression, "values"));
    out.requirements_.push_back({std::string(text(expression, "key")), found->second, {values.begin(), values.end()}});
  }
  return out;
}

Result<LabelSelector> LabelSelector::parse(std::string_view text) try {
  LabelSelector out;
  out.requirements_ = Parser(text).parse();
  return out;
} catch (const Mistake& mistake) {
  return input_error("", mistake.what);
}

bool LabelSelector::matches(const Object& object) const {
  if (requirements_.empty()) return true;
  const Object& labels = member(object, "metadata", "labels");
  return std::all_of(requirements_.begin(), requirements_.end(),
                     [&](const Requirement& requirement) { return holds(requirement, labels); });
}

}  // namespace nodebound
