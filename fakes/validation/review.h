#pragma once

#include "fakes/validation/field_mistake.h"

namespace nodebound {

/// What is wrong with an access review (pkg/apis/authorization/validation/validation.go): `self` of one that names no
/// user, `local` of one that is about a namespace.
FieldMistakes wrong_access_review(const Object& review, bool self, bool local);

}  // namespace nodebound
