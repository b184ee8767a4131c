#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "reports/run/report.h"

namespace nodebound {

/// How long a target took to decide on what was written, in a whole run. Thread-safe.
class SettlingTimes {
 public:
  /// How long a write is waited for.
  explicit SettlingTimes(std::chrono::milliseconds patience) : patience_(patience) {}

  [[nodiscard]] std::chrono::milliseconds patience() const { return patience_; }
  void add(std::chrono::duration<double> time);

  /// The target does not come to know objects of this kind, and this is how it showed: they are not waited for again.
  void give_up(const std::string& kind, const Error& why);
  [[nodiscard]] std::optional<Error> given_up(const std::string& kind) const;

  /// Nothing if nothing was measured.
  [[nodiscard]] std::optional<Settling> summary() const;

 private:
  const std::chrono::milliseconds patience_;
  mutable std::mutex mutex_;
  std::vector<double> seconds_;
  std::map<std::string, Error> given_up_;
};

}  // namespace nodebound
