#pragma once

#include "fakes/apiserver/resources/strategy.h"

namespace nodebound::apiserver {

/// What the caller may not change of a ResourceClaim's status: its allocation needs permission on
/// `resourceclaims/binding`, what drivers say of devices on `resourceclaims/driver` (KEP-4817).
SubresourceStrategy::Unauthorized unauthorized_claim_change(const ServerState& server, const Call& call,
                                                            const Object& before, const Object& after);

}  // namespace nodebound::apiserver
