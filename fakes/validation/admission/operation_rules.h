#pragma once

#include <string>
#include <vector>

#include "fakes/validation/field_mistake.h"

namespace nodebound::validation {

// What configurations of webhooks and policies have in common. The mistakes are those of the value at `field`.

/// Of a text that must be one of those; none if there is no text.
FieldMistakes wrong_choice(const std::string& field, const Object& value, const std::vector<std::string>& known);

/// Of a rule that selects writes by operation, group, version, resource and scope.
FieldMistakes wrong_operation_rule(const std::string& field, const Object& rule);

FieldMistakes wrong_label_selector(const std::string& field, const Object& selector);

}  // namespace nodebound::validation
