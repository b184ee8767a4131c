#pragma once

#include <compare>
#include <set>

#include "harness/simulate/plan.h"
#include "reports/simulation.h"

namespace nodebound {

/// What of a plan a trial has.
struct TrialScope {
  std::set<std::size_t> pools;
  std::set<std::size_t> agents;
  bool daemon_sets = false;
  bool losses = false;  ///< whether it is to show Nodes that are not ready, and pods that are lost

  auto operator<=>(const TrialScope&) const = default;

  static TrialScope all_of(const Plan& plan);
  /// Takes in a pool, agent or DaemonSet by its name in a finding: `pool blue`, `agent monitoring`.
  void add(const Plan& plan, const std::string& who);
};

/// The plan as it is tried: few nodes of each pool that is in scope, and no more time between steps than it takes for
/// every client to meet every API server. Who is refused what does not depend on how many they are, nor on how long a
/// step lasts, unless credentials run out: then all times stay.
Plan trial_of(const Plan& plan, const TrialScope& scope);

/// Whether a step changes anything that those in scope depend on.
bool matters(const Plan::Step& step, const TrialScope& scope);

}  // namespace nodebound
