#pragma once

#include "reference/cluster/object.h"

namespace nodebound::apiserver {

/// A patch with more operations is refused.
inline constexpr std::size_t most_patch_operations = 10000;

/// Applies a JSON patch (RFC 6902) as kube-apiserver's library does, which is less strict: it replaces members that do
/// not exist, counts from the end of lists, and reads a missing value as null. False if an operation fails; then
/// `object` is left half-changed. `patch` is a list.
bool patch_in_turn(Object& object, const Object& patch);

}  // namespace nodebound::apiserver
