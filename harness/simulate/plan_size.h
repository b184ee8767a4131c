#pragma once

#include "harness/simulate/plan.h"

namespace nodebound {

/// When the last change of a plan is done: one that goes on bit by bit ends with the last of its nodes, or servers.
Plan::Time end_of_last_change(const Plan& plan);
/// When a step is done.
Plan::Time end_of(const Plan& plan, const Plan::Step& step);

/// How many requests it takes to simulate a plan, about.
double expected_requests(const Plan& plan);

/// No plan is simulated that takes more than that: some minutes.
inline constexpr double most_requests = 2e7;

/// That a plan takes no more than that; an error that says what makes it so long, and where.
Result<void> check_size(const Plan& plan);

}  // namespace nodebound
