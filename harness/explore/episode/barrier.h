#pragma once

#include <chrono>
#include <string>

#include "harness/check/administrator.h"
#include "harness/check/settle.h"

namespace nodebound::explore {

/// How long to wait for a target that learns of writes with a delay.
enum class Pace {
  quick,    ///< what most answers need
  careful,  ///< to be sure that timing does not cause the difference
};

/// Holds back a request until the target knows everything that was written before. Canaries (harness/check/settle.h)
/// show this for the objects of the node graph and for RBAC. So a later refusal is decided on the stored state, and a
/// stale refusal that happens to match the expected one cannot hide a wrong answer. What only admission reads has no
/// canary, so the barrier waits a fixed time for it.
class Barrier {
 public:
  /// `names` belong to a world that only the canaries use. Everything passed in must outlive the barrier.
  Barrier(Endpoint& endpoint, Session& session, const Names& names, journal::Journal& journal, const Release& release);

  /// Call it once the write was answered: the fixed wait is counted from here.
  void wrote(const RequestText& target);
  Result<void> pass(Pace pace);

  /// Whether an answer, even an allowance, may still reflect an earlier state.
  [[nodiscard]] bool may_be_stale() const;

  std::vector<Error> clean_up() { return administrator_.clean_up(); }

 private:
  using Clock = std::chrono::steady_clock;

  Administrator administrator_;
  Settler settler_;
  bool others_ = false;
  Clock::time_point last_unseen_{};
};

}  // namespace nodebound::explore
