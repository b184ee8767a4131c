#pragma once

#include <string>

#include "harness/simulate/plan/plan.h"

namespace nodebound::simulate {

/// A short description of a step: `control plane 1.31.0 → 1.32.0; delete clusterrolebindings/system:node`.
std::string step_in_short(const Plan& plan, std::size_t step);

}  // namespace nodebound::simulate
