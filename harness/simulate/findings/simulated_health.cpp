#include "fakes/wire/timestamp.h"
#include "harness/simulate/fleet/representatives.h"
#include "harness/simulate/simulated_cluster.h"

namespace nodebound {

std::size_t SimulatedCluster::count_pods(std::size_t pool, const FakeKubelet& kubelet, bool waiting) const {
  const Plan::Pool& planned = plan_.pools[pool];
  std::size_t out = 0;
  std::size_t of_workload = 0;
  const std::string inside = std::string(workload_namespace) + "/";
  for (const auto& [name, pod] : kubelet.pods()) {
    if (waiting && pod.state != PodWorkers::State::starting && pod.reported) continue;
    ++(name.starts_with(inside) ? of_workload : out);
  }
  return of_workload == 0 ? out : out + of_workload * planned.pods / simulated_pods(planned);
}

std::size_t SimulatedCluster::pods_on(const std::string& name) const {
  const auto found = places_.find(name);
  if (found == places_.end()) return 0;
  const auto [pool, place] = found->second;
  return count_pods(pool, kubelets_[nodes_[pool][place].kubelet], false);
}

std::size_t SimulatedCluster::weight_of(const std::string& name) const {
  const auto found = places_.find(name);
  return found == places_.end() ? 1 : nodes_[found->second.first][found->second.second].weight;
}

std::size_t SimulatedCluster::workload_on(const std::string& name) const {
  const auto found = places_.find(name);
  return found == places_.end() ? 0 : plan_.pools[found->second.first].pods;
}

const KubeletTraits* SimulatedCluster::traits_of(const std::string& name) const {
  const auto found = places_.find(name);
  if (found == places_.end()) return nullptr;
  const auto [pool, place] = found->second;
  return &kubelets_[nodes_[pool][place].kubelet].traits();
}

bool SimulatedCluster::renews_lease(const std::string& name) const {
  const KubeletTraits* traits = traits_of(name);
  return traits != nullptr && !traits->lease_version.empty();
}

bool SimulatedCluster::gets_node_for_status(const std::string& name) const {
  const KubeletTraits* traits = traits_of(name);
  return traits != nullptr && traits->has(KubeletTrait::status_gets_node);
}

Plan::Time SimulatedCluster::status_apart(const std::string& name) const {
  const KubeletTraits* traits = traits_of(name);
  return traits == nullptr ? Plan::Time(0) : Plan::Time(traits->status_seconds);
}

std::optional<std::string> SimulatedCluster::how_many() const {
  std::size_t simulated = 0;
  std::size_t nodes = 0;
  bool all_pods = true;
  for (std::size_t pool = 0; pool < nodes_.size(); ++pool) {
    simulated += nodes_[pool].size();
    nodes += plan_.pools[pool].nodes.size();
    all_pods = all_pods && simulated_pods(plan_.pools[pool]) == plan_.pools[pool].pods;
  }
  if (simulated == nodes && all_pods) return std::nullopt;
  return std::to_string(simulated) + " of " + std::to_string(nodes) +
         " nodes, and a few of their pods, were simulated, and stand for those of their pool that are like them.";
}

// By the rules of the node lifecycle controller: heartbeats in the Node's status, or its Lease.
bool SimulatedCluster::is_ready(const Node& node) {
  const auto alive_after =
      std::chrono::duration_cast<std::chrono::seconds>((clock_.now - heartbeats_missed).time_since_epoch()).count();
  const auto is_fresh = [&](std::string_view time) {
    const auto seconds = seconds_of(time);
    return seconds && *seconds >= alive_after;
  };
  const Object found =
      Object::parse(administrator_.call("GET", api_path("v1", "nodes", "", node.name)).body, nullptr, false);
  for (const Object& condition : member(found, "status", "conditions")) {
    if (text(condition, "type") == "Ready" && is_fresh(text(condition, "lastHeartbeatTime"))) return true;
  }
  const std::string& version = kubelets_[node.kubelet].traits().lease_version;
  if (text(found, "kind") != "Node" || version.empty()) return false;
  const std::string lease = api_path("coordination.k8s.io/" + version, "leases", "kube-node-lease", node.name);
  const Object renewed = Object::parse(administrator_.call("GET", lease).body, nullptr, false);
  return is_fresh(text(renewed, "spec", "renewTime"));
}

Simulation::Health SimulatedCluster::health(std::size_t step) {
  Simulation::Health out;
  for (std::size_t pool = 0; pool < nodes_.size(); ++pool) {
    for (Node& node : nodes_[pool]) {
      const FakeKubelet& kubelet = kubelets_[node.kubelet];
      node.ready = is_ready(node);
      node.waiting = count_pods(pool, kubelet, true);
      out.nodes += node.weight;
      out.nodes_not_ready += node.ready ? 0 : node.weight;
      out.pods += node.weight * count_pods(pool, kubelet, false);
      out.pods_waiting += node.weight * node.waiting;
    }
  }
  const auto lost = daemon_sets_.losses([this](const std::string& node) { return weight_of(node); });
  for (const DaemonSets::Loss& one : lost) out.pods_lost.push_back(one.text());
  note_losses_at_end_of(step, lost);
  return out;
}

}  // namespace nodebound
