#pragma once

#include <functional>

#include "harness/simulate/plan.h"
#include "harness/simulate/planned_servers.h"
#include "harness/simulate/simulated_cluster.h"
#include "reports/simulation.h"

namespace nodebound {

/// How far a simulation is.
struct SimulationState {
  double part = 0;         ///< of the plan's time; nothing of remedies
  std::size_t step = 0;    ///< that has been carried out last
  std::size_t steps = 0;   ///< of the plan
  bool remedies = false;   ///< the plan is done, and remedies are tried
  std::size_t trials = 0;  ///< of these, so far
  std::string what;        ///< the step, or the remedy that is tried
};
using SimulationProgress = std::function<void(const SimulationState& state)>;

/// Carries out a plan on servers whose time is `clock`. An error means that it could not be carried out to its end.
Result<Simulation> simulate(const Plan& plan, PlannedServers& servers, SimulatedClock& clock,
                            const Catalogue& catalogue, const SimulationProgress& progress = nullptr);

/// The same on the reference.
Result<Simulation> simulate_without_remedies(const Plan& plan, const Catalogue& catalogue,
                                             const SimulationProgress& progress = nullptr);

/// And with what mends each finding: every change of the plan that is offered has been tried.
Result<Simulation> simulate_on_reference(const Plan& plan, const Catalogue& catalogue,
                                         const SimulationProgress& progress = nullptr);

/// What no simulation of the plan shows, a sentence each.
std::vector<std::string> what_is_not_simulated(const Plan& plan);

/// `control plane 1.31.0 → 1.32.0; delete clusterrolebindings/system:node`: what a step does, in short.
std::string step_in_short(const Plan& plan, std::size_t step);

/// What a simulation has that its author did not expect, or the other way round; a sentence each.
std::vector<std::string> unexpected(const Plan& plan, const Simulation& simulation);

}  // namespace nodebound
