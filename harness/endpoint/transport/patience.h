#pragma once

#include <chrono>
#include <cstdint>

namespace nodebound {

/// How long one request waits: until its time is up, or a signal arrives.
class Patience {
 public:
  using Clock = std::chrono::steady_clock;
  enum class End { none, deadline, signal };

  explicit Patience(std::chrono::milliseconds time);

  /// The same, but at most this long from now.
  [[nodiscard]] Patience at_most(std::chrono::milliseconds time) const;

  /// Whether it is over.
  [[nodiscard]] End over() const;

  /// Waits until the descriptor is ready for `events` of poll(), or the patience is over.
  [[nodiscard]] End wait(int descriptor, short events) const;

 private:
  Clock::time_point end_;
  std::uint64_t interruptions_;
};

}  // namespace nodebound
