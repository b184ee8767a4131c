#pragma once

#include "fakes/validation/field_mistake.h"

namespace nodebound::validation {

/// The errors of an access review (pkg/apis/authorization/validation/validation.go). `self`: the review names no user;
/// `local`: it is about a namespace.
FieldMistakes wrong_access_review(const Object& review, bool self, bool local);

}  // namespace nodebound::validation
