#pragma once

#include <string>
#include <vector>

#include "harness/simulate/simulation.h"

namespace nodebound::simulate {

/// The result of a plan on real builds, and a sentence for each difference from the reference. The sentences are also
/// notes of the simulation.
struct BinarySimulation {
  Simulation simulation;
  std::vector<std::string> differences;
};

/// Carries out the plan on the builds of kube-apiserver in these folders, and on the reference. If a release has no
/// build, an input error names all of them before anything starts. Call it from the main thread, like `start_binary`.
Result<BinarySimulation> simulate_on_binaries(const Plan& plan, const Catalogue& catalogue,
                                              const std::vector<std::string>& directories,
                                              const SimulationProgress& progress = nullptr);

/// How two simulations of one plan differ: who is refused what with which status after which step, and which Nodes and
/// pods are lost. Rules are not compared, because real servers do not name them.
std::vector<std::string> differences_of(const Simulation& real, const Simulation& reference);

/// Copies rule, remedies and advice into the findings of real servers from the reference's finding with the same
/// client, request and status.
void explain_by(const Simulation& reference, Simulation& real);

/// Like `unexpected`, but without comparing rules, which real servers do not name.
std::vector<std::string> unexpected_of(const Plan& plan, Simulation real);

}  // namespace nodebound::simulate
