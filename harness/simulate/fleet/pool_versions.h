#pragma once

#include <map>
#include <vector>

#include "harness/simulate/plan/plan.h"
#include "harness/simulate/records/version_log.h"

namespace nodebound::simulate {

/// The kubelet versions of all nodes of each pool, simulated or not.
class PoolVersions {
 public:
  PoolVersions(const Plan& plan, VersionLog& log);

  /// All nodes of the pool have the version with which the plan begins.
  void start(std::size_t pool);
  /// Changes the nodes from number `begin` to before `end`.
  void change(std::size_t pool, std::size_t begin, std::size_t end, const Version& to);

 private:
  const Plan& plan_;
  VersionLog& log_;
  std::vector<std::vector<Version>> of_nodes_;           ///< by pool
  std::vector<std::map<Version, std::size_t>> members_;  ///< how many nodes have each version, by pool
};

}  // namespace nodebound::simulate
