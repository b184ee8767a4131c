#include "reference/cel/types/validation.h"

#include "reference/cel/evaluation/numbers.h"
#include "reference/cel/evaluation/regex.h"

namespace nodebound::cel {

void validate_literals(const Expr& expr, Issues& issues) {
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
  for (const ExprPtr& child : expr.children) validate_literals(*child, issues);
}

}  // namespace nodebound::cel
