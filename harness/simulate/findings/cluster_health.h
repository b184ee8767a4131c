#pragma once

#include <map>
#include <vector>

#include "harness/simulate/fleet/simulated_fleet.h"
#include "reports/simulation/simulation.h"

namespace nodebound::simulate {

/// The state of a node at the end of a step's time.
struct NodeHealth {
  bool ready = true;
  std::size_t pods_waiting = 0;
};

/// The state of the cluster at the end of a step's time.
struct ClusterHealth {
  Simulation::Health summary;
  std::map<NodePlace, NodeHealth> nodes;
  std::vector<DaemonSets::Loss> daemon_sets;  ///< that have fewer nodes than at the end of the step before
};

/// Finds out how the cluster is.
class HealthCheck {
 public:
  HealthCheck(SimulatedFleet& fleet, SimulatedControlPlane& control_plane, const SimulatedClock& clock)
      : fleet_(fleet), control_plane_(control_plane), clock_(clock) {}

  /// As the node lifecycle controller judges: by heartbeats in the Node's status, or by its Lease.
  [[nodiscard]] bool is_ready(const SimulatedNode& node) const;
  /// Call it once for each step: DaemonSets are compared with the call before.
  ClusterHealth check();

 private:
  SimulatedFleet& fleet_;
  SimulatedControlPlane& control_plane_;
  const SimulatedClock& clock_;
};

/// How many nodes are not ready, over the time up to `end`.
std::vector<Simulation::NotReady> not_ready_until(Plan::Time end, const SimulatedNodes& nodes);

}  // namespace nodebound::simulate
