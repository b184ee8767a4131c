#pragma once

#include <string>
#include <string_view>

#include "harness/journal/record.h"
#include "reference/cluster/object.h"

namespace nodebound {

/// The scheduler that pods of a run wait for: there is none of that name.
inline constexpr std::string_view no_scheduler = "nodebound.invalid";

/// Adds to an object of the resource what keeps workloads off a Node, and schedulers off a pod. A Node that is tainted
/// already keeps its taints: a scenario says them all.
void make_unrunnable(std::string_view resource, Object& object);

/// The first image in containers, or in a patch of them, that a machine could fetch; empty if there is none. Hosts
/// below .invalid and .example never exist (RFC 2606).
std::string runnable_image(const Object& value);

}  // namespace nodebound
