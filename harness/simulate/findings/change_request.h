#pragma once

#include "harness/simulate/plan/plan.h"
#include "reports/simulation/simulation.h"

namespace nodebound::simulate {

/// Commands to run before a step: they show that the cluster is as the plan says, and save what the step overwrites.
/// Steps count from 0.
std::vector<std::string> checks_before(const Plan& plan, std::size_t step);

/// How to undo a step: sentences, and commands.
std::vector<std::string> rollback_of(const Plan& plan, std::size_t step);

/// A command that shows whether the request of a finding is allowed; empty if kubectl has none. `node` is that of the
/// first refused client.
std::string check_of(const Plan& plan, const Simulation::Finding& finding, const std::string& node);

}  // namespace nodebound::simulate
