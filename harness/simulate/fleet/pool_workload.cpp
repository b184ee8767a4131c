#include "harness/simulate/fleet/pool_workload.h"

#include "harness/simulate/control_plane/simulated_control_plane.h"
#include "harness/simulate/plan/representatives.h"

namespace nodebound::simulate {

void PoolWorkload::create_volumes(const Plan::Pool& pool) {
  for (std::size_t i = 0; i < simulated_pods(pool); ++i) {
    const Object named = {{"metadata", {{"name", pool.name + "-" + std::to_string(i)}}}};
    administrator_.call("POST", api_path("v1", "secrets", workload_namespace), named);
    administrator_.call("POST", api_path("v1", "configmaps", workload_namespace), named);
  }
}

void PoolWorkload::create_pods(const Plan::Pool& pool, const std::string& node) {
  for (std::size_t i = 0; i < simulated_pods(pool); ++i) {
    const std::string volume = pool.name + "-" + std::to_string(i);
    administrator_.call("POST", api_path("v1", "pods", workload_namespace),
                        {{"metadata", {{"name", node + "-" + std::to_string(i)}, {"namespace", workload_namespace}}},
                         {"spec",
                          {{"nodeName", node},
                           {"serviceAccountName", "default"},
                           {"containers", {{{"name", "main"}, {"image", "registry.example/workload"}}}},
                           {"volumes",
                            {{{"name", "secret"}, {"secret", {{"secretName", volume}}}},
                             {{"name", "config"}, {"configMap", {{"name", volume}}}}}}}}});
  }
}

void PoolWorkload::delete_pods(const Plan::Pool& pool, const std::string& node) {
  for (std::size_t i = 0; i < simulated_pods(pool); ++i) {
    const std::string pod = api_path("v1", "pods", workload_namespace, node + "-" + std::to_string(i));
    administrator_.call("DELETE", pod + "?gracePeriodSeconds=0");
  }
}

}  // namespace nodebound::simulate
