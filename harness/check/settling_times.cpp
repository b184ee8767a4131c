#include "harness/check/settling_times.h"

#include <algorithm>

namespace nodebound {

void SettlingTimes::add(std::chrono::duration<double> time) {
  const std::lock_guard lock(mutex_);
  seconds_.push_back(time.count());
}

void SettlingTimes::give_up(const std::string& kind, const Error& why) {
  const std::lock_guard lock(mutex_);
  given_up_.try_emplace(kind, why);
}

std::optional<Error> SettlingTimes::given_up(const std::string& kind) const {
  const std::lock_guard lock(mutex_);
  const auto found = given_up_.find(kind);
  return found == given_up_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<Settling> SettlingTimes::summary() const {
  const std::lock_guard lock(mutex_);
  if (seconds_.empty()) return std::nullopt;
  std::vector<double> sorted = seconds_;
  std::sort(sorted.begin(), sorted.end());
  return Settling{sorted.size(), sorted[(sorted.size() - 1) / 2], sorted.back()};
}

}  // namespace nodebound
