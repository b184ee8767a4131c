#pragma once

#include <vector>

#include "harness/simulate/plan/plan.h"

namespace nodebound {

/// When a node was last heard of: its Node was created, or its status or Lease renewed.
class Heartbeats {
 public:
  struct Silence {
    Plan::Time from;
    Plan::Time until;
  };

  /// `longest` is how long a silent node still counts as ready.
  explicit Heartbeats(Plan::Time since, Plan::Time longest) : last_(since), longest_(longest) {}

  void hear(Plan::Time now) {
    if (is_silent(now)) silences_.push_back({last_, now});
    last_ = now;
  }
  [[nodiscard]] Plan::Time last() const { return last_; }
  [[nodiscard]] bool is_silent(Plan::Time now) const { return now - last_ > longest_; }
  /// All silences up to `end`, including one that goes on.
  [[nodiscard]] std::vector<Silence> silences(Plan::Time end) const {
    std::vector<Silence> out = silences_;
    if (is_silent(end)) out.push_back({last_, end});
    return out;
  }

 private:
  Plan::Time last_;
  Plan::Time longest_;
  std::vector<Silence> silences_;
};

}  // namespace nodebound
