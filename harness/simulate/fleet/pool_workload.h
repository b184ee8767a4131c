#pragma once

#include <string>

#include "harness/simulate/control_plane/cluster_administrator.h"
#include "harness/simulate/plan/plan.h"

namespace nodebound::simulate {

/// The pods that a pool has on each node, of which a few are simulated. Each mounts a Secret and a ConfigMap of the
/// pool.
class PoolWorkload {
 public:
  explicit PoolWorkload(ClusterAdministrator& administrator) : administrator_(administrator) {}

  void create_volumes(const Plan::Pool& pool);
  void create_pods(const Plan::Pool& pool, const std::string& node);
  void delete_pods(const Plan::Pool& pool, const std::string& node);

 private:
  ClusterAdministrator& administrator_;
};

}  // namespace nodebound::simulate
