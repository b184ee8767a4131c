#pragma once

#include <compare>
#include <set>

#include "harness/simulate/plan/plan.h"
#include "reports/simulation/simulation.h"

namespace nodebound::simulate {

/// Which part of a plan a trial simulates.
struct TrialScope {
  std::set<std::size_t> pools;
  std::set<std::size_t> agents;
  bool daemon_sets = false;
  bool losses = false;  ///< whether the trial must show Nodes that are not ready, and lost pods

  auto operator<=>(const TrialScope&) const = default;

  static TrialScope all_of(const Plan& plan);
  /// Adds a pool, agent or DaemonSet by its name in a finding: `pool blue`, `agent monitoring`.
  void add(const Plan& plan, const std::string& who);
};

/// The plan reduced for a trial: few nodes of each pool in scope, and between steps only the time that every client
/// needs to meet every API server. Refusals depend neither on the number of nodes nor on a step's duration, unless
/// credentials expire: then all times stay.
Plan trial_of(const Plan& plan, const TrialScope& scope);

/// Whether a step changes something that affects those in scope.
bool matters(const Plan::Step& step, const TrialScope& scope);

}  // namespace nodebound::simulate
