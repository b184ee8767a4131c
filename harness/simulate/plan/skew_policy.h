#pragma once

#include <string>
#include <vector>

#include "harness/simulate/plan/plan.h"

namespace nodebound::simulate {

/// Why the version skew policy forbids a kubelet at an API server; empty if it allows it. From 1.28 on kubelets may be
/// three minors older, if they are of 1.25 or later.
std::string wrong_skew(const Version& kubelet, const Version& server);

/// Why an API server cannot change from one version to the other; empty if it can.
std::string wrong_upgrade(const Version& from, const Version& to);

/// The versions of a plan, step by step. Returns a sentence for what the policy forbids, empty if it allows the step:
/// API servers are within one minor of each other, and every kubelet fits the oldest and the newest of them.
class VersionSkew {
 public:
  VersionSkew() = default;
  /// The versions when the plan begins, without its pools.
  explicit VersionSkew(const Plan& plan) : servers_(plan.servers, plan.control_plane.version) {}

  std::string add_pool(const Plan::Pool& pool);
  std::string carry_out(const Plan::ChangeControlPlane& change, Plan::Time at);
  std::string carry_out(const Plan::ChangePool& change, Plan::Time at);

 private:
  struct Replacement {
    Plan::Time at;
    std::size_t server;
    Version to;
  };

  struct Pool {
    std::string name;
    std::size_t nodes = 0;
    Version version;
    std::vector<std::pair<Version, Plan::Time>> left;  ///< of a rolling change: old versions, and until when
  };

  void go_on(Plan::Time until);
  /// What violates the policy from now until the last server is replaced.
  [[nodiscard]] std::string wrong(Plan::Time now) const;
  [[nodiscard]] std::string wrong_at(Plan::Time time, const std::vector<Version>& servers) const;

  std::vector<Version> servers_;
  std::vector<Replacement> to_come_;  ///< ordered by time
  std::vector<Pool> pools_;
};

/// Whether all steps of a plan comply with the policy.
bool keeps_to_policy(const Plan& plan);

}  // namespace nodebound::simulate
