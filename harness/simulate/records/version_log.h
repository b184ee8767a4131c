#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "harness/simulate/clock/simulated_clock.h"
#include "reports/simulation/simulation.h"

namespace nodebound::simulate {

/// Records how many members of each version the control plane and the pools have.
class VersionLog {
 public:
  explicit VersionLog(const SimulatedClock& clock) : clock_(clock) {}

  /// From now on `pool` has so many members of that version; without a name, the control plane. What is before the
  /// plan's beginning counts as its beginning.
  void note(const std::string& pool, const Version& version, std::size_t members) {
    changes_.push_back({pool, std::max(clock_.since_begin(), Plan::Time(0)), version.text(), members});
  }

  [[nodiscard]] const std::vector<Simulation::VersionChange>& changes() const { return changes_; }

 private:
  const SimulatedClock& clock_;
  std::vector<Simulation::VersionChange> changes_;
};

}  // namespace nodebound::simulate
