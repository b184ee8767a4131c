#pragma once

#include <optional>
#include <string>

#include "fakes/wire/media_type.h"
#include "reference/cluster/object.h"

namespace nodebound {

/// Go's name for the type of a JSON value: `number`, `bool`.
const char* go_json_type(const Object& value);

/// Go's encoding/json error for the first value of `object` with another type than its field; nothing if all fit. For a
/// kind without a message, only the metadata is checked.
std::optional<std::string> go_type_error(const GroupVersionKind& kind, const Object& object);

/// Replaces nulls as Go does where null has no meaning: a field is dropped, and a value in a map or list becomes the
/// zero value of its type.
void read_nulls(const GroupVersionKind& kind, Object& object);

}  // namespace nodebound
