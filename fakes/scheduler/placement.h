#pragma once

#include <string>

#include "reference/cluster/object.h"

namespace nodebound::scheduler {

/// Whether a pod may run on a Node: checks its nodeSelector, its required node affinity, and the taints that it does
/// not tolerate (component-helpers' nodeaffinity, corev1's tolerations). It ignores resources, ports and volumes.
bool fits(const Object& pod, const Object& node);

/// Why the pod does not fit the Node, as a text that follows the node's name: `has no label kubernetes.io/os=linux`.
/// Empty if it fits.
std::string why_not(const Object& pod, const Object& node);

}  // namespace nodebound::scheduler
