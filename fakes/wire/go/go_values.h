#pragma once

#include <optional>
#include <string>

#include "fakes/wire/media_type.h"
#include "reference/cluster/object.h"

namespace nodebound {

/// Makes of an object that fits its type (`decode_as_go`) what an API server keeps of it: no unknown fields;
/// quantities, times and bytes as Go writes them; a null where it has no meaning is dropped, or becomes the zero value
/// of its type. Of a kind without a message, only the metadata changes. The kind has the fields of the release;
/// null: of the newest one.
void keep_as_go(const GroupVersionKind& kind, Object& object, const Release* release = nullptr);

/// Converts an object as Go does one that is not JSON text but maps and lists (apimachinery's
/// pkg/runtime/converter.go), the result of a strategic merge patch or an apply. The error is Go's text; integers that
/// are too large lose bits.
std::optional<std::string> convert_as_go(const GroupVersionKind& kind, Object& object,
                                         const Release* release = nullptr);

}  // namespace nodebound
