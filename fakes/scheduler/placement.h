#pragma once

#include <string>

#include "reference/cluster/object.h"

namespace nodebound {

/// Whether a pod may be placed on a Node by its nodeSelector, its required node affinity, and the taints that it does
/// not tolerate (component-helpers' nodeaffinity, corev1's tolerations). Of resources, ports and volumes it knows
/// nothing.
bool fits(const Object& pod, const Object& node);

/// What keeps the pod off the Node, of a node: `has no label kubernetes.io/os=linux`. Empty if it fits.
std::string why_not(const Object& pod, const Object& node);

}  // namespace nodebound
