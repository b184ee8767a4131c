#pragma once

#include <optional>
#include <string>

#include "harness/simulate/clock/simulated_clock.h"
#include "harness/simulate/control_plane/cluster_administrator.h"
#include "harness/simulate/plan/plan.h"

namespace nodebound::simulate {

/// The bootstrap tokens of a plan: Secrets in the cluster. Plans contain only their ids, so the secret half of all of
/// them is the same.
class PlannedBootstrapTokens {
 public:
  PlannedBootstrapTokens(ClusterAdministrator& administrator, const SimulatedClock& clock)
      : administrator_(administrator), clock_(clock) {}

  Result<void> make(const Plan::BootstrapToken& token, const std::string& where);
  /// Nothing if the token has expired or its Secret does not exist.
  std::optional<Subject> subject_of(const std::string& id);

 private:
  ClusterAdministrator& administrator_;
  const SimulatedClock& clock_;
};

}  // namespace nodebound::simulate
