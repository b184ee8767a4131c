#pragma once

#include <optional>
#include <string>

#include "fakes/wire/media_type.h"
#include "reference/cluster/object.h"

namespace nodebound {

/// Why a configuration cannot be applied to a kind: unknown fields, values of the wrong type, items that occur twice in
/// a list (the validation of sigs.k8s.io/structured-merge-diff, typed/validate.go). Go visits the fields of an object
/// in random order, so several errors may come in any order. For a kind without a table of fields, only the metadata is
/// checked. The fields are those of the release; null: of the newest one.
std::optional<std::string> configuration_type_error(const GroupVersionKind& kind, const Object& configuration,
                                                    const Release* release = nullptr);

}  // namespace nodebound
