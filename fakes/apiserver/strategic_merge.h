#pragma once

#include <string>
#include <string_view>

#include "reference/cluster/object.h"

namespace nodebound {

/// What a strategic merge patch says that cannot be done. Thrown, as it may come from any depth; `patched` catches it.
struct StrategicMergeError {
  std::string what;
};

/// A patch says the keys of the items that it merges, and brings what the object does not have as it is. An apply may
/// leave them out: they are empty then.
enum class Merging { patch, apply };

/// Merges a patch into an object: maps member by member, lists by the merge keys of the built-in kinds, with the
/// directives `$patch`, `$retainKeys`, `$deleteFromPrimitiveList/…` and `$setElementOrder/…`
/// (apimachinery's pkg/util/strategicpatch).
void merge_strategically(Object& target, const Object& patch, Merging merging = Merging::patch);

/// The key that the items of a list are merged by, by the name of its field; empty if the list is replaced whole.
std::string_view merge_key_of(std::string_view field, const Object& items);

}  // namespace nodebound
