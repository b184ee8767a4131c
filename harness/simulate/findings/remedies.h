#pragma once

#include <functional>

#include "harness/simulate/plan/plan.h"
#include "reports/simulation/simulation.h"

namespace nodebound::simulate {

/// Reports the number of trials so far, and the next change to try.
using TrialProgress = std::function<void(std::size_t tried, const std::string& next)>;

/// Simulates a changed plan, without remedies of its own.
using SimulateTrial = std::function<Result<Simulation>(const Plan& trial)>;

/// Adds the advice of advice.toml to each finding and loss.
void add_advice(Simulation& simulation);

/// Adds remedies to the findings and losses of a simulation of `plan`: changes of the plan that avoid them, each tried
/// on the reference. Refusals by the same rule after the same step are tried together: first with only the affected
/// clients, then on the whole plan, which must have no new finding or loss.
void add_remedies(const Plan& plan, const Catalogue& catalogue, const SimulateTrial& simulate, Simulation& simulation,
                  const TrialProgress& progress = nullptr);

}  // namespace nodebound::simulate
