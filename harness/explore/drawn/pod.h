#pragma once

#include <string>

#include "harness/explore/chance.h"
#include "reference/cluster/object.h"

namespace nodebound::explore {

/// A pod, most often on `node`, with references of all kinds; sometimes a mirror pod, sometimes an invalid one.
Object drawn_pod(Chance& chance, const std::string& node);

/// The body of an update through `pods/status`.
Object drawn_pod_status(Chance& chance);

}  // namespace nodebound::explore
