#pragma once

#include "fakes/validation/field_mistake.h"
#include "reference/release/release.h"

namespace nodebound {

/// Of the match conditions of a webhook.
FieldMistakes wrong_match_conditions(const std::string& field, const Object& conditions, const Release& release);

}  // namespace nodebound
