#pragma once

#include <functional>

#include "harness/simulate/plan.h"
#include "reports/simulation.h"

namespace nodebound {

/// How many trials there have been, and of which change the next one is.
using TrialProgress = std::function<void(std::size_t tried, const std::string& next)>;

/// What advice.toml says of each finding and loss.
void add_advice(Simulation& simulation);

/// Fills in what mends each finding of a simulation of `plan`: changes of the plan without which it would not be, each
/// tried on the reference. What is refused by the same rule after the same step is tried once, on those alone that it
/// touches, and then on the whole plan, which must have nothing new.
void add_remedies(const Plan& plan, const Catalogue& catalogue, Simulation& simulation,
                  const TrialProgress& progress = nullptr);

}  // namespace nodebound
