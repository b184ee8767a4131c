#pragma once

#include <string>

#include "harness/simulate/simulated_cluster.h"
#include "reports/simulation/simulation.h"

namespace nodebound {

/// What the node lifecycle controller does if heartbeats are refused after a step: which nodes it taints as
/// unreachable, and whose pods it evicts. Returns a sentence for the finding of the deciding heartbeat, empty for any
/// other. `end` is that of the simulation.
std::string what_follows(const SimulatedCluster& cluster, std::size_t step, const Simulation::Finding& finding,
                         Simulation::Time end);

}  // namespace nodebound
