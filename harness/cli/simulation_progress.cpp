#include "harness/cli/simulation_progress.h"

#include <iostream>

#include "reports/text.h"

namespace nodebound::cli {
namespace {

constexpr std::chrono::milliseconds between_redraws{200};
constexpr std::chrono::seconds between_lines{10};
constexpr double too_little_to_tell = 0.01;
constexpr std::size_t width = 100;

}  // namespace

std::string progress_text(const simulate::SimulationState& state, std::chrono::milliseconds elapsed) {
  const std::string so_far = length_text(std::chrono::floor<std::chrono::seconds>(elapsed));
  if (state.remedies) {
    return "remedy " + std::to_string(state.trials + 1) + " is tried, after " + so_far + ": " + state.what;
  }
  std::string out = "step " + std::to_string(state.step) + " of " + std::to_string(state.steps) + ", " +
                    std::to_string(static_cast<int>(state.part * 100)) + " %";
  if (state.part > too_little_to_tell) {
    const std::chrono::milliseconds left(
        static_cast<std::int64_t>(static_cast<double>(elapsed.count()) * (1 - state.part) / state.part));
    out += ", " + length_text(std::chrono::ceil<std::chrono::seconds>(left)) + " left";
  }
  return out + (state.what.empty() ? "" : ": " + state.what);
}

SimulationProgressLine::SimulationProgressLine(bool terminal)
    : terminal_(terminal), started_(std::chrono::steady_clock::now()), told_(started_) {}

void SimulationProgressLine::tell(const simulate::SimulationState& state) {
  const auto now = std::chrono::steady_clock::now();
  if (now - told_ < (terminal_ ? std::chrono::milliseconds(between_redraws) : std::chrono::milliseconds(between_lines)))
    return;
  told_ = now;
  const auto elapsed = std::chrono::duration_cast<std::chrono::milliseconds>(now - started_);
  const std::string line = clip(printable(progress_text(state, elapsed)), width);
  visible_ = terminal_;
  if (terminal_) {
    std::cerr << "\r\033[K" << line << std::flush;
  } else {
    std::cerr << "nodebound: " << line << std::endl;
  }
}

void SimulationProgressLine::finish() {
  if (visible_) std::cerr << "\r\033[K" << std::flush;
  visible_ = false;
}

}  // namespace nodebound::cli
