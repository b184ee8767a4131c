#pragma once

#include <string>

#include "harness/explore/chance.h"
#include "reference/cluster/object.h"

namespace nodebound {

/// A pod, most often one of `node`, with references of all kinds; sometimes a mirror pod, sometimes one that is not
/// valid.
Object drawn_pod(Chance& chance, const std::string& node);

/// What an update through `pods/status` says.
Object drawn_pod_status(Chance& chance);

}  // namespace nodebound
