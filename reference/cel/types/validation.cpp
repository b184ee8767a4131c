#include "reference/cel/types/validation.h"

#include "reference/cel/evaluation/numbers.h"
#include "reference/cel/evaluation/regex.h"

namespace nodebound::cel {

namespace {

void mismatch(const Expr& expr, const Type& expected, const Type& actual, Issues& issues) {
  issues.report(expr.at, "expected type '" + format(expected) + "' but found '" + format(actual) + "'");
}

// The type of an entry, or of what an optional one has.
const Type& entry_type(const Expr& entry, bool optional) {
  return optional && entry.type->is_optional() ? *entry.type->parameters[0] : *entry.type;
}

// The entries of a list or map must be of one type: not of such as all could be used as.
void validate_entries(const Expr& expr, Issues& issues) {
  const bool is_map = expr.kind == Expr::Kind::map;
  const std::size_t width = is_map ? 2 : 1;
  for (std::size_t i = width; i < expr.children.size(); ++i) {
    const Expr& entry = *expr.children[i];
    const std::size_t column = i % width;
    const bool is_value = !is_map || column == 1;
    const Type& first = entry_type(*expr.children[column], is_value && expr.optional[0]);
    const Type& type = entry_type(entry, is_value && expr.optional[i / width]);
    if (same(first, type, false)) continue;
    mismatch(entry, first, type, issues);
    if (!is_map) return;
  }
}

void validate(const Expr& expr, bool in_format, Issues& issues) {
  const std::size_t first = expr.is_member ? 1 : 0;
  if (expr.kind == Expr::Kind::call && expr.children.size() > first) {
    const Expr& argument = *expr.children[first];
    const auto* text = std::get_if<std::string>(&argument.literal);
    if (argument.kind == Expr::Kind::literal && text != nullptr) {
      // Of the function matches(text, expression), cel-go checks the text.
      const bool bad =
          (expr.name == "duration" && !parse_go_duration(*text)) || (expr.name == "matches" && !Regex::compile(*text));
      if (bad) issues.report(argument.at, "invalid " + expr.name + " argument");
    }
  }
  if (!in_format && (expr.kind == Expr::Kind::list || expr.kind == Expr::Kind::map)) validate_entries(expr, issues);
  const bool is_format = expr.kind == Expr::Kind::call && expr.name == "format";
  for (const ExprPtr& child : expr.children) validate(*child, in_format || is_format, issues);
}

}  // namespace

void validate_literals(const Expr& expr, Issues& issues) {
  validate(expr, false, issues);
}

}  // namespace nodebound::cel
