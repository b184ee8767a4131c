#pragma once

#include <functional>
#include <string>
#include <utility>

#include "harness/simulate/agents/agents.h"
#include "harness/simulate/clock/event_queue.h"
#include "harness/simulate/control_plane/simulated_control_plane.h"
#include "harness/simulate/findings/losses.h"
#include "harness/simulate/fleet/simulated_fleet.h"
#include "harness/simulate/plan/plan.h"
#include "harness/simulate/records/refusal_ledger.h"
#include "harness/simulate/records/version_log.h"

namespace nodebound::simulate {

/// The cluster of a plan: its parts, and the loop that lets them act when they are due.
class SimulatedCluster {
 public:
  SimulatedCluster(const Plan& plan, PlannedServers& servers, SimulatedClock& clock, const Catalogue& catalogue);

  /// Starts the control plane, the kubelets and the agents.
  Result<void> begin();
  /// Advances the time; everything acts when it is due.
  Result<void> run_until(Plan::Time end);
  /// Carries out the immediate part of a step, and schedules the rest.
  Result<void> carry_out(const Plan::Step& step);
  /// The health at the end of a step's time; also records the step's losses.
  Simulation::Health end_step(std::size_t step);

  /// Is called with the current time every now and then.
  void on_progress(std::function<void(Plan::Time now)> tell) { tell_progress_ = std::move(tell); }

  RefusalLedger& ledger() { return ledger_; }
  [[nodiscard]] const RefusalLedger& ledger() const { return ledger_; }
  [[nodiscard]] const VersionLog& versions() const { return versions_; }
  [[nodiscard]] const LoadBalancer& balancer() const { return control_plane_.balancer(); }
  [[nodiscard]] const SimulatedFleet& fleet() const { return fleet_; }
  [[nodiscard]] const Losses& losses() const { return losses_; }

 private:
  Result<void> carry_out(const Plan::Action& action, const std::string& where);

  SimulatedClock& clock_;
  EventQueue events_;
  RefusalLedger ledger_;
  VersionLog versions_;
  SimulatedControlPlane control_plane_;
  SimulatedFleet fleet_;
  Agents agents_;
  HealthCheck health_check_;
  Losses losses_;
  std::function<void(Plan::Time)> tell_progress_;
};

}  // namespace nodebound::simulate
