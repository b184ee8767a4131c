#pragma once

#include "fakes/wire/resources/api_resources.h"
#include "harness/explore/chance.h"
#include "harness/explore/drawn/request.h"

namespace nodebound::explore {

/// A review of somebody's access, with selectors of all kinds.
DrawnRequest drawn_review(Chance& chance, const ApiResources& resources);

}  // namespace nodebound::explore
