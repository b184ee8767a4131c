#pragma once

#include <atomic>
#include <chrono>

namespace nodebound::apiserver {

/// When the first of all watches ends or sends a bookmark. Thread-safe.
class WatchesDue {
 public:
  using Time = std::chrono::system_clock::time_point;

  [[nodiscard]] bool come(Time now) const { return now >= first_.load(); }
  /// Forgets all watches; each that goes on has to be added again.
  void clear() { first_ = Time::max(); }
  void add(Time due) {
    Time first = first_.load();
    while (due < first && !first_.compare_exchange_weak(first, due)) {
    }
  }

 private:
  std::atomic<Time> first_ = Time::max();
};

}  // namespace nodebound::apiserver
