#pragma once

#include <chrono>
#include <string>

#include "harness/run/administrator.h"
#include "harness/run/settle.h"

namespace nodebound {

/// How long a target that learns of writes later is waited for.
enum class Pace {
  quick,    ///< what most answers need
  careful,  ///< to be sure that a difference is none of time
};

/// Lets a request pass only once the target knows of all that was written before. What the node graph is made of and
/// what RBAC grants is seen by canaries (harness/run/settle.h): so a refusal that is heard afterwards is one of the
/// state that is stored, and one that agrees by chance with what is expected cannot hide that it should have been an
/// allowance. What only admission reads has no canary; there is a pause.
class Barrier {
 public:
  /// `names` are those of a world of the canaries' own, and must outlive the barrier, as all else.
  Barrier(Endpoint& endpoint, Session& session, const Names& names, Journal& journal, const Version& version);

  /// To be called once the write was answered: a pause is counted from here.
  void wrote(const RequestText& target);
  Result<void> pass(Pace pace);

  /// Whether an answer may still be one to a state of before, an allowance too.
  [[nodiscard]] bool may_be_stale() const;

  std::vector<Error> clean_up() { return administrator_.clean_up(); }

 private:
  using Clock = std::chrono::steady_clock;

  Result<void> await_grant(bool of_cluster);

  const Names& names_;
  Administrator administrator_;
  Settler settler_;
  bool grants_ = false;
  bool cluster_grants_ = false;
  bool others_ = false;
  Clock::time_point last_unseen_{};
  int canaries_ = 0;
};

}  // namespace nodebound
