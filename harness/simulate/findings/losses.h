#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/simulate/findings/cluster_health.h"
#include "harness/simulate/findings/loss_causes.h"

namespace nodebound::simulate {

/// Records Nodes that are not ready and pods that do not run: since when, after which step, why, and until when.
class Losses {
 public:
  Losses(const Plan& plan, const SimulatedFleet& fleet, const HealthCheck& health_check, const DaemonSets& daemon_sets,
         const RefusalLedger& ledger, const SimulatedClock& clock)
      : plan_(plan),
        fleet_(fleet),
        health_check_(health_check),
        daemon_sets_(daemon_sets),
        ledger_(ledger),
        clock_(clock) {}

  /// Records nodes that have become silent, and what has healed. Call it every five minutes.
  void look();
  /// Records what a step has cost.
  void note_end_of(std::size_t step, const ClusterHealth& health);

  [[nodiscard]] std::vector<Simulation::Loss> of(std::size_t step) const;

 private:
  /// Losses of one step with the same cause count as one.
  struct Key {
    Simulation::Loss::What what;
    std::size_t step = 0;
    std::size_t who = 0;  ///< pool, or DaemonSet
    std::string cause;
    std::string kind;

    auto operator<=>(const Key&) const = default;
  };
  struct Entry {
    Simulation::Loss loss;
    std::vector<NodePlace> members;
  };
  /// What is known of a node.
  struct Known {
    bool silent = false;           ///< and recorded as lost
    bool gone = false;             ///< at the end of the last step: heard of, but its Node does not exist
    std::size_t pods_waiting = 0;  ///< at the end of the last step
  };
  struct KnownDaemonSet {
    std::size_t nodes = 0;                  ///< that have its pods
    std::optional<Plan::Time> fewer_since;  ///< within the step
  };

  void add(const Key& key, const NodePlace& place, Plan::Time first, std::size_t count);
  void add_not_ready(const NodePlace& place, std::size_t step, Plan::Time first);
  void look_at_node(const NodePlace& place);
  void look_at_daemon_sets();
  void note_not_ready(const NodePlace& place, bool ready, std::size_t step);
  void note_waiting(const NodePlace& place, const NodeHealth& health, std::size_t step);
  void note_daemon_set(const DaemonSets::Loss& lost, std::size_t step);
  [[nodiscard]] bool has_healed(const Key& key, const Entry& entry) const;
  [[nodiscard]] std::size_t nodes_of_daemon_set(std::size_t set) const;
  /// The last step that was not after `time`.
  [[nodiscard]] std::size_t step_at(Plan::Time time) const;
  [[nodiscard]] Simulation::Loss told(const Key& key, const Entry& entry) const;

  const Plan& plan_;
  const SimulatedFleet& fleet_;
  const HealthCheck& health_check_;
  const DaemonSets& daemon_sets_;
  const RefusalLedger& ledger_;
  const SimulatedClock& clock_;
  std::map<Key, Entry> losses_;
  std::map<NodePlace, Known> known_;
  std::map<std::size_t, KnownDaemonSet> known_daemon_sets_;
};

}  // namespace nodebound::simulate
