#pragma once

#include "reference/cluster/object.h"

namespace nodebound {

/// More operations than that are not done.
inline constexpr std::size_t most_patch_operations = 10000;

/// Does the operations of a JSON patch (RFC 6902) as kube-apiserver's library does, which is less strict: it replaces
/// members that are not there, counts from the end of lists, and takes a value that is left out for null. False if one
/// cannot be done; then `object` is left anyhow. `patch` is a list.
bool patch_in_turn(Object& object, const Object& patch);

}  // namespace nodebound
