#pragma once

#include "reference/cluster/object.h"

namespace nodebound::apiserver {

/// Sets a condition in a pod's status, replacing the one of the same type. The transition time stays if the condition's
/// status is unchanged (UpdatePodCondition in pkg/api/v1/pod). Returns whether anything has changed.
bool set_condition(Object& pod, Object condition);

}  // namespace nodebound::apiserver
