#include "fakes/validation/admission/match_conditions.h"

#include <array>
#include <set>
#include <string>
#include <string_view>

#include "reference/cel/admission/admission_expression.h"
#include "reference/cluster/names.h"
#include "reference/encoding/ascii.h"

// pkg/apis/admissionregistration/validation/validation.go

namespace nodebound::validation {
namespace {

constexpr std::size_t most_conditions = 64;

std::string condition_item(const std::string& field, std::size_t at) {
  return field + "[" + std::to_string(at) + "]";
}

}  // namespace

std::string_view trimmed_as_go(std::string_view text) {
  return trimmed(text, " \t\r\n\v\f");
}

FieldMistakes wrong_expression(const std::string& field, std::string_view expression,
                               const cel::AdmissionExpression::Compiled& compiled) {
  if (compiled) return {};
  if (compiled.error().kind == cel::CompileError::Kind::refused) {
    return {invalid_field(field, expression, compiled.error().what)};
  }
  return {forbidden_field(field, "this server does not evaluate it: " + compiled.error().what)};
}

FieldMistakes wrong_match_conditions(const std::string& field, const Object& conditions,
                                     const cel::AdmissionScope& scope, const Release& release) {
  FieldMistakes out;
  if (conditions.empty()) return out;
  const auto environment = cel::admission_environment(release, scope);
  const std::array results = {cel::make_type(cel::Type::Kind::boolean)};
  if (conditions.size() > most_conditions) {
    out.push_back({field, "FieldValueTooMany", "Too many", static_cast<std::int64_t>(conditions.size()),
                   "must have at most 64 items"});
  }
  std::set<std::string> names;
  std::size_t at = 0;
  for (const Object& condition : conditions) {
    const std::string here = condition_item(field, at++);
    const std::string_view expression = trimmed_as_go(text(condition, "expression"));
    if (expression.empty()) {
      out.push_back(required_field(here + ".expression", ""));
    } else {
      append(out, wrong_expression(here + ".expression", expression,
                                   cel::AdmissionExpression::compile(expression, environment, results)));
    }
    const std::string name(text(condition, "name"));
    if (name.empty()) {
      out.push_back(required_field(here + ".name", ""));
    } else {
      append(out, invalid_field_each(here + ".name", name, wrong_label_key(name)));
      if (!names.insert(name).second) out.push_back(duplicate_field(here + ".name", name));
    }
  }
  return out;
}

}  // namespace nodebound::validation
