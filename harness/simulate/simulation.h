#pragma once

#include <functional>

#include "harness/simulate/control_plane/planned_servers.h"
#include "harness/simulate/plan/plan.h"
#include "harness/simulate/simulated_cluster.h"
#include "reports/simulation/simulation.h"

namespace nodebound {

/// The progress of a simulation.
struct SimulationState {
  double part = 0;         ///< the completed share of the plan's time, without remedies
  std::size_t step = 0;    ///< the last step that was carried out
  std::size_t steps = 0;   ///< in the plan
  bool remedies = false;   ///< the plan is complete, and remedies are being tried
  std::size_t trials = 0;  ///< of remedies, so far
  std::string what;        ///< the step, or the remedy that is being tried
};
using SimulationProgress = std::function<void(const SimulationState& state)>;

/// Carries out a plan on servers with the clock `clock`. An error means that it could not be completed.
Result<Simulation> simulate(const Plan& plan, PlannedServers& servers, SimulatedClock& clock,
                            const Catalogue& catalogue, const SimulationProgress& progress = nullptr);

/// The same on the reference.
Result<Simulation> simulate_without_remedies(const Plan& plan, const Catalogue& catalogue,
                                             const SimulationProgress& progress = nullptr);

/// The same with remedies for each finding. Every remedy that it offers has been tried.
Result<Simulation> simulate_on_reference(const Plan& plan, const Catalogue& catalogue,
                                         const SimulationProgress& progress = nullptr);

/// What simulations leave out, one sentence each.
std::vector<std::string> what_is_not_simulated(const Plan& plan);

/// A short description of a step: `control plane 1.31.0 → 1.32.0; delete clusterrolebindings/system:node`.
std::string step_in_short(const Plan& plan, std::size_t step);

/// Results that the author did not expect, and expected ones that did not occur; a sentence each.
std::vector<std::string> unexpected(const Plan& plan, const Simulation& simulation);

}  // namespace nodebound
