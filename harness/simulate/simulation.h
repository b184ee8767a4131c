#pragma once

#include <functional>

#include "harness/simulate/control_plane/planned_servers.h"
#include "harness/simulate/plan/plan.h"
#include "reports/simulation/simulation.h"

namespace nodebound::simulate {

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

}  // namespace nodebound::simulate
