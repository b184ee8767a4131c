#pragma once

#include <optional>
#include <string>

#include "fakes/encoding/media_type.h"
#include "reference/cluster/object.h"

namespace nodebound {

/// What Go calls the type of a JSON value: `number`, `bool`.
const char* go_json_type(const Object& value);

/// What Go's encoding/json says where a value of `object` does not have the type of its field; nothing if all have. The
/// kinds that have a message here (`has_protobuf`) are looked at whole, of all others the metadata.
std::optional<std::string> go_type_error(const GroupVersionKind& kind, const Object& object);

}  // namespace nodebound
