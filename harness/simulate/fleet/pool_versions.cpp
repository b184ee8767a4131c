#include "harness/simulate/fleet/pool_versions.h"

#include <set>
#include <utility>

namespace nodebound::simulate {

PoolVersions::PoolVersions(const Plan& plan, VersionLog& log) : plan_(plan), log_(log), members_(plan.pools.size()) {
  for (const Plan::Pool& pool : plan.pools) of_nodes_.emplace_back(pool.nodes.size(), pool.kubelet.version);
}

void PoolVersions::start(std::size_t pool) {
  const Plan::Pool& planned = plan_.pools[pool];
  members_[pool][planned.kubelet.version] = planned.nodes.size();
  log_.note(planned.name, planned.kubelet.version, planned.nodes.size());
}

void PoolVersions::change(std::size_t pool, std::size_t begin, std::size_t end, const Version& to) {
  std::set<Version> changed;
  for (std::size_t number = begin; number < end; ++number) {
    const Version before = std::exchange(of_nodes_[pool][number], to);
    if (before == to) continue;
    --members_[pool][before];
    ++members_[pool][to];
    changed.insert({before, to});
  }
  for (const Version& version : changed) log_.note(plan_.pools[pool].name, version, members_[pool][version]);
}

}  // namespace nodebound::simulate
