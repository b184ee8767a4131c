#pragma once

#include "reference/cluster/object.h"
#include "reference/release/version.h"

namespace nodebound {

/// What kube-controller-manager of a version writes to the labels of a Node, as a JSON merge patch of these: its node
/// lifecycle controller copies the labels of os and arch between `beta.kubernetes.io` and `kubernetes.io`, from 1.14
/// on from the former to the latter, from 1.19 on the other way (pkg/controller/nodelifecycle, reconcileNodeLabels).
/// Null if there is nothing to write.
Object copied_os_labels(const Version& version, const Object& node);

}  // namespace nodebound
