#pragma once

#include <string>
#include <vector>

#include "harness/simulate/findings/trial_plan.h"
#include "reports/simulation/simulation.h"

namespace nodebound::simulate {

/// A changed plan, with a description of the change.
struct PlanChange {
  std::string what;
  Plan plan;
  bool of_all_steps = false;  ///< it also affects everything that is refused later
};

/// Moves the step behind a later one, for each later step that affects those in scope. Leaves out orders that the
/// version skew policy forbids. Steps count from 0.
std::vector<PlanChange> later_orders(const Plan& plan, std::size_t step, const TrialScope& scope);

/// Sets feature gates so that the rule does not refuse: at API servers from the step on, at kubelets everywhere.
std::vector<PlanChange> other_gates(const Plan& plan, std::size_t step, const std::string& rule,
                                    const Catalogue& catalogue);

/// Has an agent that lists or watches with its node's credentials select only that node's objects.
std::vector<PlanChange> narrower_requests(const Plan& plan, const Simulation::Finding& finding);

}  // namespace nodebound::simulate
