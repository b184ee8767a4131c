#pragma once

#include <optional>
#include <string>

#include "fakes/encoding/media_type.h"
#include "reference/cluster/object.h"

namespace nodebound {

/// Why a configuration cannot be applied to a kind: fields that it does not have, values of other types than theirs,
/// lists that have an item twice (the validation of sigs.k8s.io/structured-merge-diff, typed/validate.go). Go looks at
/// the fields of an object in no order, so the order of several mistakes is nobody's. Of a kind without a table of
/// fields the metadata alone is looked at. Fields are those of all releases.
std::optional<std::string> configuration_type_error(const GroupVersionKind& kind, const Object& configuration);

}  // namespace nodebound
