#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fakes/wire/media_type.h"
#include "reference/cluster/object.h"

namespace nodebound {

/// Go's name for the type of a JSON value: `number`, `bool`.
const char* go_json_type(const Object& value);

/// encoding/json's error for a value of the wrong type. `place` is `value of type T`, or `struct field S.f of type T`.
std::string cannot_unmarshal(const Object& value, const std::string& place);

/// What Go says of a JSON object that it decodes as a kind (sigs.k8s.io/json). Of a kind without a message, only the
/// metadata is looked at. A kind has the fields of the release; null: of the newest one.
struct GoDecoding {
  std::optional<std::string> error;  ///< the object does not fit its type
  /// `unknown field "spec.x"`, `duplicate field "metadata.name"`: the fields that a strict decoder refuses. Complete
  /// only if there is no error.
  std::vector<std::string> strict;
};

/// Reads the text of a JSON object; mistakes are in the order of the text.
GoDecoding decode_json_as_go(const GroupVersionKind& kind, std::string_view json, const Release* release = nullptr);

/// Reads an object whose members are sorted by name.
GoDecoding decode_as_go(const GroupVersionKind& kind, const Object& object, const Release* release = nullptr);

/// The repeated members of an object of no particular type.
std::vector<std::string> repeated_fields(std::string_view json);

/// The unknown and repeated members of the operations of a JSON patch.
std::vector<std::string> strict_patch_errors(std::string_view json_patch);

}  // namespace nodebound
