#pragma once

#include "fakes/validation/field_mistake.h"
#include "reference/cel/admission/admission_expression.h"
#include "reference/release/release.h"

namespace nodebound::validation {

/// Of the match conditions of a webhook or policy, which may use what is in that scope.
FieldMistakes wrong_match_conditions(const std::string& field, const Object& conditions,
                                     const cel::AdmissionScope& scope, const Release& release);

/// Why an expression is refused; none if it compiles.
FieldMistakes wrong_expression(const std::string& field, std::string_view expression,
                               const cel::AdmissionExpression::Compiled& compiled);

/// As Go's strings.TrimSpace does, for ASCII.
std::string_view trimmed_as_go(std::string_view text);

}  // namespace nodebound::validation
