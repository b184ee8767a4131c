#pragma once

#include <string>

#include "harness/explore/chance.h"
#include "reference/cluster/object.h"

namespace nodebound::explore {

/// A ResourceSlice, most often of `node`.
Object drawn_slice(Chance& chance, const std::string& node);

/// A ResourceClaim, in the form of v1 or of v1beta1.
Object drawn_claim_of_devices(Chance& chance, const std::string& node);

}  // namespace nodebound::explore
