#pragma once

#include <compare>
#include <map>
#include <string>
#include <vector>

#include "harness/simulate/fleet/heartbeats.h"
#include "harness/simulate/plan/plan.h"

namespace nodebound::simulate {

/// A place among the simulated nodes. If a step moves a node's pods to a new node, the new one gets its place.
struct NodePlace {
  std::size_t pool = 0;
  std::size_t index = 0;  ///< among the simulated nodes of the pool

  auto operator<=>(const NodePlace&) const = default;
};

/// A simulated node and how its kubelet is started now.
struct SimulatedNode {
  std::string name;
  std::size_t number = 0;  ///< among all nodes of the pool
  std::size_t weight = 1;  ///< how many nodes it represents, including itself
  Plan::Kubelet kubelet;
  std::size_t starts = 0;          ///< how often the kubelet was started
  std::size_t client = 0;          ///< number of the kubelet in the ledger
  std::size_t kubelet_number = 0;  ///< in Kubelets
  Heartbeats heartbeats{Plan::Time(0)};
};

/// The nodes of a plan that are simulated.
class SimulatedNodes {
 public:
  explicit SimulatedNodes(std::size_t pools) : pools_(pools) {}

  NodePlace add(std::size_t pool, SimulatedNode node);
  /// A new node gets the place. The old name still leads there.
  void rename(const NodePlace& place, const std::string& name);

  [[nodiscard]] const std::vector<std::vector<SimulatedNode>>& pools() const { return pools_; }
  [[nodiscard]] const SimulatedNode& operator[](const NodePlace& place) const {
    return pools_[place.pool][place.index];
  }
  SimulatedNode& operator[](const NodePlace& place) { return pools_[place.pool][place.index]; }
  /// The places of all nodes, pool by pool.
  [[nodiscard]] std::vector<NodePlace> places() const;
  /// Null if no node has, or had, that name.
  [[nodiscard]] const NodePlace* find(const std::string& name) const;
  /// How many nodes a node represents; 1 if it is unknown.
  [[nodiscard]] std::size_t weight_of(const std::string& name) const;

 private:
  std::vector<std::vector<SimulatedNode>> pools_;
  std::map<std::string, NodePlace> places_;  ///< by name
};

}  // namespace nodebound::simulate
