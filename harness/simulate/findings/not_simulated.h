#pragma once

#include <string>
#include <vector>

#include "harness/simulate/plan/plan.h"

namespace nodebound::simulate {

/// What simulations leave out, one sentence each.
std::vector<std::string> what_is_not_simulated(const Plan& plan);

}  // namespace nodebound::simulate
