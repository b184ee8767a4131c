#pragma once

#include <string>
#include <string_view>

#include "harness/journal/record.h"
#include "reference/cluster/object.h"

namespace nodebound::guest {

/// The scheduler that a run's pods name. No such scheduler exists.
inline constexpr std::string_view no_scheduler = "nodebound.invalid";

/// Adds to an object what keeps workloads off a Node and schedulers away from a pod. A Node that already has taints
/// keeps them, because its scenario lists all of them.
void make_unrunnable(std::string_view resource, Object& object);

/// The first image in containers, or in a patch of them, that a machine could fetch; empty if there is none. Hosts
/// below .invalid and .example never exist (RFC 2606).
std::string runnable_image(const Object& value);

}  // namespace nodebound::guest
