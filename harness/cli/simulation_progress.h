#pragma once

#include <chrono>

#include "harness/simulate/simulation.h"

namespace nodebound::cli {

/// Shows how far a simulation is and how long it still takes. On a terminal: one line, redrawn in place and cleared at
/// the end. Elsewhere: a line every ten seconds, so a quick simulation prints none.
class SimulationProgressLine {
 public:
  explicit SimulationProgressLine(bool terminal);
  void tell(const simulate::SimulationState& state);
  void finish();

 private:
  bool terminal_;
  bool visible_ = false;
  std::chrono::steady_clock::time_point started_;
  std::chrono::steady_clock::time_point told_;
};

/// `step 3 of 18, 27 %, 1m20s left: control plane 1.31.0 → 1.32.0`
std::string progress_text(const simulate::SimulationState& state, std::chrono::milliseconds elapsed);

}  // namespace nodebound::cli
