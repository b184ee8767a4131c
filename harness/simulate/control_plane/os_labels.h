#pragma once

#include "reference/cluster/object.h"
#include "reference/release/version.h"

namespace nodebound {

/// The JSON merge patch that kube-controller-manager of a version applies to the labels of a Node: its node lifecycle
/// controller copies the os and arch labels between `beta.kubernetes.io` and `kubernetes.io`; from 1.14 on from the
/// former to the latter, from 1.19 on the other way (pkg/controller/nodelifecycle, reconcileNodeLabels). Null if
/// nothing changes.
Object copied_os_labels(const Version& version, const Object& node);

}  // namespace nodebound
