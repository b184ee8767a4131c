#include "harness/simulate/findings/cluster_health.h"

#include <algorithm>

#include "fakes/wire/timestamp.h"

namespace nodebound::simulate {

bool HealthCheck::is_ready(const SimulatedNode& node) const {
  const auto alive_after =
      std::chrono::duration_cast<std::chrono::seconds>((clock_.now - Heartbeats::longest_silence).time_since_epoch())
          .count();
  const auto is_fresh = [&](std::string_view time) {
    const auto seconds = seconds_of(time);
    return seconds && *seconds >= alive_after;
  };
  ClusterAdministrator& administrator = control_plane_.administrator();
  const Object found =
      Object::parse(administrator.call("GET", api_path("v1", "nodes", "", node.name)).body, nullptr, false);
  for (const Object& condition : member(found, "status", "conditions")) {
    if (text(condition, "type") == "Ready" && is_fresh(text(condition, "lastHeartbeatTime"))) return true;
  }
  const std::string& version = fleet_.kubelet_of(node).traits().lease_version;
  if (text(found, "kind") != "Node" || version.empty()) return false;
  const std::string lease = api_path("coordination.k8s.io/" + version, "leases", "kube-node-lease", node.name);
  const Object renewed = Object::parse(administrator.call("GET", lease).body, nullptr, false);
  return is_fresh(text(renewed, "spec", "renewTime"));
}

ClusterHealth HealthCheck::check() {
  ClusterHealth out;
  for (const NodePlace& place : fleet_.nodes().places()) {
    const SimulatedNode& node = fleet_.nodes()[place];
    const NodeHealth health{is_ready(node), fleet_.count_pods(place, SimulatedFleet::Pods::waiting)};
    out.nodes[place] = health;
    out.summary.nodes += node.weight;
    out.summary.nodes_not_ready += health.ready ? 0 : node.weight;
    out.summary.pods += node.weight * fleet_.count_pods(place, SimulatedFleet::Pods::all);
    out.summary.pods_waiting += node.weight * health.pods_waiting;
  }
  out.daemon_sets =
      control_plane_.daemon_sets().losses([this](const std::string& node) { return fleet_.weight_of(node); });
  for (const DaemonSets::Loss& lost : out.daemon_sets) out.summary.pods_lost.push_back(lost.text());
  return out;
}

std::vector<Simulation::NotReady> not_ready_until(Plan::Time end, const SimulatedNodes& nodes) {
  std::map<Plan::Time, std::int64_t> changes;
  for (const std::vector<SimulatedNode>& pool : nodes.pools()) {
    for (const SimulatedNode& node : pool) {
      for (const Heartbeats::Silence& silence : node.heartbeats.silences(end)) {
        changes[std::max(silence.from, Plan::Time(0))] += static_cast<std::int64_t>(node.weight);
        changes[std::max(silence.until, Plan::Time(0))] -= static_cast<std::int64_t>(node.weight);
      }
    }
  }
  std::vector<Simulation::NotReady> out;
  std::int64_t now = 0;
  for (const auto& [at, change] : changes) {
    if (change == 0) continue;
    now += change;
    out.push_back({at, static_cast<std::size_t>(now)});
  }
  return out;
}

}  // namespace nodebound::simulate
