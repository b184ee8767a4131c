#pragma once

#include "harness/simulate/plan.h"
#include "reports/simulation.h"

namespace nodebound {

/// Commands that show, before a step, that the cluster is as the plan has it, and keep what the step writes over.
/// Steps count from 0 on.
std::vector<std::string> checks_before(const Plan& plan, std::size_t step);

/// How to undo a step: sentences, and commands.
std::vector<std::string> rollback_of(const Plan& plan, std::size_t step);

/// A command that says whether somebody may do what a finding is about; empty where kubectl has none. `node` is that
/// of the first who was refused.
std::string check_of(const Plan& plan, const Simulation::Finding& finding, const std::string& node);

}  // namespace nodebound
