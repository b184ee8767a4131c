#pragma once

#include "reference/cluster/object.h"

namespace nodebound {

/// Puts a condition into a pod's status, in the place of the one of its type. It keeps the time of its transition where
/// its status is what it was (UpdatePodCondition in pkg/api/v1/pod). Says whether anything has changed.
bool set_condition(Object& pod, Object condition);

}  // namespace nodebound
