#pragma once

#include "harness/simulate/plan/plan.h"

namespace nodebound::simulate {

/// When the last change of a plan is complete; a rolling change ends with its last node or server.
Plan::Time end_of_last_change(const Plan& plan);
/// When a step is complete.
Plan::Time end_of(const Plan& plan, const Plan::Step& step);

/// Roughly how many requests the simulation of a plan takes.
double expected_requests(const Plan& plan);

/// Plans that take more requests are refused; this many take some minutes.
inline constexpr double most_requests = 2e7;

/// An error if the plan takes more; it says which part makes it so large, and where.
Result<void> check_size(const Plan& plan);

}  // namespace nodebound::simulate
