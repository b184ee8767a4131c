#pragma once

#include <functional>
#include <optional>
#include <queue>
#include <tuple>
#include <vector>

#include "harness/simulate/clock/simulated_clock.h"
#include "reference/result.h"

namespace nodebound::simulate {

/// Everything that happens at a known time, except what kubelets do: they know themselves when they act next. Events of
/// the same time happen in the order in which they were added.
class EventQueue {
 public:
  /// An error ends the simulation.
  using Run = std::function<Result<void>()>;

  explicit EventQueue(SimulatedClock& clock) : clock_(clock) {}

  void add(fake_kubelet::KubeletTime at, Run run) { push(at, std::move(run), std::nullopt); }
  /// Runs it at `first`, and then again and again.
  void repeat(fake_kubelet::KubeletTime first, Plan::Time apart, Run run) { push(first, std::move(run), apart); }

  /// The time of the next event, or the end of all time if there is none.
  [[nodiscard]] fake_kubelet::KubeletTime next() const {
    return events_.empty() ? fake_kubelet::KubeletTime::max() : events_.top().at;
  }
  /// Moves the clock to the next event, and runs it.
  Result<void> run_next();

  [[nodiscard]] const SimulatedClock& clock() const { return clock_; }

 private:
  struct Event {
    fake_kubelet::KubeletTime at;
    std::size_t number;  ///< in the order in which they were added
    Run run;
    std::optional<Plan::Time> again_after;

    bool operator>(const Event& other) const { return std::tie(at, number) > std::tie(other.at, other.number); }
  };

  void push(fake_kubelet::KubeletTime at, Run run, std::optional<Plan::Time> again_after);

  SimulatedClock& clock_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::size_t added_ = 0;
};

}  // namespace nodebound::simulate
