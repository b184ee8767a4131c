#pragma once

#include <string>

#include "reference/cluster/object.h"

namespace nodebound::apiserver {

/// An error in a strategic merge patch. Thrown, because it may occur at any depth; `patched` catches it.
struct StrategicMergeError {
  std::string what;
};

/// Merges a patch into an object: maps member by member, lists by the merge keys of the built-in kinds, with the
/// directives `$patch`, `$retainKeys`, `$deleteFromPrimitiveList/…` and `$setElementOrder/…`
/// (apimachinery's pkg/util/strategicpatch).
void merge_strategically(Object& target, const Object& patch);

}  // namespace nodebound::apiserver
