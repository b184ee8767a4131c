#pragma once

#include <algorithm>

#include "fakes/kubelet/kubelet_line.h"
#include "harness/simulate/plan/plan.h"

namespace nodebound::simulate {

/// The time in a simulation.
struct SimulatedClock {
  fake_kubelet::KubeletTime begin{std::chrono::sys_days(std::chrono::year(2026) / 1 / 1)};
  fake_kubelet::KubeletTime now = begin;

  [[nodiscard]] Plan::Time since_begin() const { return now - begin; }
  /// Never goes back.
  void advance_to(fake_kubelet::KubeletTime time) { now = std::max(now, time); }
};

}  // namespace nodebound::simulate
