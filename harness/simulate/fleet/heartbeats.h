#pragma once

#include <vector>

#include "fakes/wire/http.h"
#include "harness/simulate/plan/plan.h"

namespace nodebound::simulate {

/// When a node was last heard of: its Node was created, or its status or Lease renewed.
class Heartbeats {
 public:
  /// How often a simulated kubelet sends status and Lease. If it did so every ten seconds, as real ones do, nearly all
  /// requests would be heartbeats, with the same answers.
  static constexpr std::chrono::minutes apart{5};
  /// How long a silent node still counts as ready.
  static constexpr std::chrono::minutes longest_silence{15};

  struct Silence {
    Plan::Time from;
    Plan::Time until;
  };

  explicit Heartbeats(Plan::Time since) : last_(since) {}

  void hear(Plan::Time now) {
    if (is_silent(now)) silences_.push_back({last_, now});
    last_ = now;
  }
  [[nodiscard]] Plan::Time last() const { return last_; }
  [[nodiscard]] bool is_silent(Plan::Time now) const { return now - last_ > longest_silence; }
  /// All silences up to `end`, including one that goes on.
  [[nodiscard]] std::vector<Silence> silences(Plan::Time end) const {
    std::vector<Silence> out = silences_;
    if (is_silent(end)) out.push_back({last_, end});
    return out;
  }

 private:
  Plan::Time last_;
  std::vector<Silence> silences_;
};

/// Whether a kubelet's request is a heartbeat that succeeded.
bool is_heartbeat(const HttpRequest& request, const HttpResponse& response);

}  // namespace nodebound::simulate
