#pragma once

#include <optional>
#include <string>

#include "fakes/encoding/media_type.h"
#include "reference/cluster/object.h"

namespace nodebound {

/// What Go calls the type of a JSON value: `number`, `bool`.
const char* go_json_type(const Object& value);

/// What Go's encoding/json says where a value of `object` does not have the type of its field; nothing if all have. A
/// kind without a message has its metadata looked at alone.
std::optional<std::string> go_type_error(const GroupVersionKind& kind, const Object& object);

/// What Go makes of null where it has no place for it: a field is as if it were not there, a value of a map or a list
/// is the empty one of its type.
void read_nulls(const GroupVersionKind& kind, Object& object);

}  // namespace nodebound
