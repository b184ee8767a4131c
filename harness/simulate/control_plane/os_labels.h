#pragma once

#include "reference/cluster/object.h"
#include "reference/release/release.h"

namespace nodebound::simulate {

/// The JSON merge patch that kube-controller-manager of a release applies to the labels of a Node: its node lifecycle
/// controller copies the os and arch labels between `beta.kubernetes.io` and `kubernetes.io`
/// (pkg/controller/nodelifecycle, reconcileNodeLabels). Null if nothing changes.
Object copied_os_labels(const Release& release, const Object& node);

}  // namespace nodebound::simulate
