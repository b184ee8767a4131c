#pragma once

#include <string>
#include <vector>

#include "harness/simulate/simulation.h"

namespace nodebound {

/// What a plan comes to on real builds, and where the reference sees it otherwise; a sentence each, which are among
/// the notes of the simulation, too.
struct BinarySimulation {
  Simulation simulation;
  std::vector<std::string> differences;
};

/// Carries the plan out on the builds of kube-apiserver of these folders, and on the reference. That a release has no
/// build is an input error before anything is started; it names all of them. Call it from the main thread, as
/// `start_binary`.
Result<BinarySimulation> simulate_on_binaries(const Plan& plan, const Catalogue& catalogue,
                                              const std::vector<std::string>& directories,
                                              const SimulationProgress& progress = nullptr);

/// Where two simulations of one plan differ: who is refused what with which status after which step, which Nodes and
/// pods that costs. Rules are not compared: real servers do not say them.
std::vector<std::string> differences_of(const Simulation& real, const Simulation& reference);

/// Has the findings of real servers say by which rule it is, what avoids it and what to do, where the reference, on the
/// same plan, has one of the same client, request and status.
void explain_by(const Simulation& reference, Simulation& real);

/// As `unexpected`, but for the rules, which real servers do not say.
std::vector<std::string> unexpected_of(const Plan& plan, Simulation real);

}  // namespace nodebound
