#pragma once

#include <string>

#include "harness/simulate/fleet/simulated_fleet.h"
#include "reports/simulation/simulation.h"

namespace nodebound::simulate {

/// What the node lifecycle controller does if heartbeats are refused: which nodes it taints as unreachable, and whose
/// pods it evicts. This is told only: the simulation neither taints nor evicts.
class NodeLifecycle {
 public:
  /// `end` is that of the simulation.
  NodeLifecycle(const RefusalLedger& ledger, const SimulatedFleet& fleet, const VersionLog& versions,
                Simulation::Time end)
      : ledger_(ledger), fleet_(fleet), versions_(versions), end_(end) {}

  /// A sentence for the finding of the deciding heartbeat after a step, empty for any other.
  [[nodiscard]] std::string what_follows(std::size_t step, const Simulation::Finding& finding) const;

 private:
  /// The two heartbeats. A kubelet that may not GET its Node sends no status if it gets the Node first.
  enum class Heartbeat { status, lease };
  /// The time during which every attempt at one kind of heartbeat is refused. `until` precedes `from` if there is none.
  struct Silence {
    Simulation::Time from = Simulation::Time::max();
    Simulation::Time until = Simulation::Time::min();

    [[nodiscard]] bool any() const { return until > from; }
  };
  using Client = RefusalLedger::Client;

  [[nodiscard]] bool decides(std::size_t step, const Simulation::Finding& finding) const;
  [[nodiscard]] Simulation::Time grace_at(Simulation::Time when) const;
  [[nodiscard]] Simulation::Time silent_for(const Client& client, std::size_t step) const;
  [[nodiscard]] Silence silence_of(const Client& client, std::size_t step, Heartbeat heartbeat) const;
  [[nodiscard]] bool is_of(Heartbeat heartbeat, const Attributes& asked, const std::string& node) const;

  const RefusalLedger& ledger_;
  const SimulatedFleet& fleet_;
  const VersionLog& versions_;
  Simulation::Time end_;
};

}  // namespace nodebound::simulate
