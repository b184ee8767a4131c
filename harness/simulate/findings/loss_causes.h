#pragma once

#include <string>

#include "harness/simulate/fleet/simulated_fleet.h"

namespace nodebound::simulate {

/// Why something is lost.
struct LossCause {
  std::string text;  ///< a clause: `kubelet 1.31.0 exits: …`
  std::string kind;  ///< see Simulation::Loss
};

/// Why a node is not ready: what its kubelet exits with, what it is refused, or that its Node is gone.
LossCause why_not_ready(const SimulatedFleet& fleet, const SimulatedNode& node, const RefusalLedger& ledger,
                        Plan::Time now);
/// Why pods of a node wait to be started.
LossCause why_pods_wait(const SimulatedNode& node, const RefusalLedger& ledger);

}  // namespace nodebound::simulate
