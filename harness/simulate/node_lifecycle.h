#pragma once

#include <string>

#include "harness/simulate/simulated_cluster.h"
#include "reports/simulation.h"

namespace nodebound {

/// What the node lifecycle controller makes of heartbeats that are refused since a step: which nodes it taints as
/// unreachable, and which it evicts the pods of. A sentence for the finding of the heartbeat that decides, empty for
/// any other. `end` is that of the simulation.
std::string what_follows(const SimulatedCluster& cluster, std::size_t step, const Simulation::Finding& finding,
                         Simulation::Time end);

}  // namespace nodebound
