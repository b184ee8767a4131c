#pragma once

#include <string>
#include <vector>

#include "harness/simulate/plan/plan.h"
#include "reports/simulation/simulation.h"

namespace nodebound::simulate {

/// Results that the author did not expect, and expected ones that did not occur; a sentence each.
std::vector<std::string> unexpected(const Plan& plan, const Simulation& simulation);

}  // namespace nodebound::simulate
