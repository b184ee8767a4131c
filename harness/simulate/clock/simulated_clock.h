#pragma once

#include <algorithm>

#include "fakes/kubelet/kubelet_line.h"
#include "harness/simulate/plan/plan.h"

namespace nodebound {

/// The time in a simulation.
struct SimulatedClock {
  KubeletTime begin{std::chrono::sys_days(std::chrono::year(2026) / 1 / 1)};
  KubeletTime now = begin;

  [[nodiscard]] Plan::Time since_begin() const { return now - begin; }
  /// Never goes back.
  void advance_to(KubeletTime time) { now = std::max(now, time); }
};

}  // namespace nodebound
