#pragma once

#include "harness/simulate/plan.h"
#include "reference/release/catalogue.h"
#include "reports/simulation.h"

namespace nodebound {

/// Looks for changes of the plan that are without a finding: a step later, a feature gate off. Each is tried on a small
/// cluster of the same pools, and offered if it is without the finding and has none that the plan does not have. Beside
/// that, what advice.toml says of the rule.
void add_remedies(const Plan& plan, const Catalogue& catalogue, Simulation& simulation);

}  // namespace nodebound
