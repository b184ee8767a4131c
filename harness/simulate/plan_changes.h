#pragma once

#include <string>
#include <vector>

#include "harness/simulate/trial_plan.h"
#include "reports/simulation.h"

namespace nodebound {

/// A plan that differs from another, and how.
struct PlanChange {
  std::string what;
  Plan plan;
  bool of_all_steps = false;  ///< it concerns whatever is refused later, too
};

/// The step takes place after one of those behind it, each of those that matter to who is in scope; orders that the
/// version skew policy does not allow are left out. Steps count from 0 on.
std::vector<PlanChange> later_orders(const Plan& plan, std::size_t step, const TrialScope& scope);

/// Feature gates that the rule depends on are set so that it does not refuse, from the step on.
std::vector<PlanChange> other_gates(const Plan& plan, std::size_t step, const std::string& rule,
                                    const Catalogue& catalogue);

/// An agent that lists or watches with the credentials of its node selects what is its node's.
std::vector<PlanChange> narrower_requests(const Plan& plan, const Simulation::Finding& finding);

}  // namespace nodebound
