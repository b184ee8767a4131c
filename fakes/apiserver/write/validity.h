#pragma once

#include <optional>

#include "fakes/validation/object.h"
#include "fakes/wire/http.h"

namespace nodebound::apiserver {

struct Call;

/// The kind of the object that a call writes.
validation::ValidatedKind validated(const Call& call);

/// The mistakes of a change through the call's resource or subresource.
validation::FieldMistakes mistakes_of_change(const Call& call, const Object& after, const Object& before);

/// The answer to an object with mistakes; nothing if it has none.
std::optional<HttpResponse> not_valid(const Call& call, const Object& object,
                                      const validation::FieldMistakes& mistakes);

}  // namespace nodebound::apiserver
