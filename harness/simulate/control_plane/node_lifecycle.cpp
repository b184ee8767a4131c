#include "harness/simulate/control_plane/node_lifecycle.h"

#include <algorithm>

namespace nodebound {
namespace {

using Client = RefusalLedger::Client;

// The default tolerations of pods. Before taint-based eviction, 1.13, --pod-eviction-timeout had the same length
// (plugin/pkg/admission/defaulttolerationseconds).
constexpr Simulation::Time tolerated = std::chrono::seconds(300);

Simulation::Time grace_at(const SimulatedCluster& cluster, Simulation::Time when) {
  std::string release;
  for (const Simulation::VersionChange& change : cluster.versions()) {
    if (change.pool.empty() && change.at <= when && change.members > 0) release = change.version;
  }
  const auto version = Version::parse(release);
  const auto known = version ? Release::make(Catalogue::built_in(), *version, {}) : Result<Release>();
  // NodeMonitorGracePeriod (pkg/controller/nodelifecycle/config/v1alpha1/defaults.go)
  return std::chrono::seconds(version && known && known->does(Behaviour::grace_of_50_seconds) ? 50 : 40);
}

// The time during which every attempt at one kind of heartbeat is refused. `until` precedes `from` if there is none.
struct Silence {
  Simulation::Time from = Simulation::Time::max();
  Simulation::Time until = Simulation::Time::min();

  [[nodiscard]] bool any() const { return until > from; }
};

// The two heartbeats. A kubelet that may not GET its Node sends no status if it gets the Node first.
enum class Heartbeat { status, lease };

bool is_of(Heartbeat heartbeat, const Attributes& asked, bool gets_node) {
  if (heartbeat == Heartbeat::lease) return asked.resource == "leases";
  if (asked.resource != "nodes") return false;
  return asked.subresource == "status" || (gets_node && asked.subresource.empty() && asked.verb == "get");
}

Silence silence_of(const SimulatedCluster& cluster, const Client& client, std::size_t step, Heartbeat heartbeat,
                   Simulation::Time end) {
  Silence out;
  const bool gets_node = cluster.gets_node_for_status(client.node);
  for (const RefusalLedger::Seen& seen : client.seen) {
    const Attributes& asked = cluster.ledger().kinds()[seen.kind].attributes;
    if (seen.step != step || !is_of(heartbeat, asked, gets_node)) continue;
    out.from = std::min(out.from, seen.first);
    out.until = std::max(out.until, seen.healed.value_or(end));
  }
  return out;
}

// Either heartbeat keeps a node alive, but a status that is sent less often than a node may be silent does so only part
// of the time.
Simulation::Time silent_for(const SimulatedCluster& cluster, const Client& client, std::size_t step,
                            Simulation::Time end) {
  const Silence status = silence_of(cluster, client, step, Heartbeat::status, end);
  if (!cluster.renews_lease(client.node)) return status.any() ? status.until - status.from : Simulation::Time(0);
  const Silence lease = silence_of(cluster, client, step, Heartbeat::lease, end);
  if (!lease.any()) return Simulation::Time(0);
  if (!status.any()) return std::min<Simulation::Time>(cluster.status_apart(client.node), lease.until - lease.from);
  return std::max(Simulation::Time(0), std::min(status.until, lease.until) - std::max(status.from, lease.from));
}

// Only one finding of a step describes the consequence: that of the status, or of what keeps it from being sent, or of
// the Lease.
bool decides(const SimulatedCluster& cluster, std::size_t step, const Simulation::Finding& finding) {
  if (finding.request == "patch nodes/status") return true;
  const auto& clients = cluster.ledger().clients();
  const auto others = [&](const auto& other) {
    return std::any_of(clients.begin(), clients.end(), [&](const Client& client) {
      return client.who == finding.who && std::any_of(client.seen.begin(), client.seen.end(), [&](const auto& seen) {
               return seen.step == step && other(client, cluster.ledger().kinds()[seen.kind].attributes);
             });
    });
  };
  const auto patches = [](const Client&, const Attributes& asked) { return asked.subresource == "status"; };
  if (finding.request == "get nodes") return !others(patches);
  if (finding.request != "update leases" && finding.request != "get leases") return false;
  const bool of_status = others([&](const Client& client, const Attributes& asked) {
    return is_of(Heartbeat::status, asked, cluster.gets_node_for_status(client.node));
  });
  const bool updates = others(
      [](const Client&, const Attributes& asked) { return asked.resource == "leases" && asked.verb == "update"; });
  return !of_status && (finding.request == "update leases" || !updates);
}

std::string nodes_text(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " node" : " nodes");
}

}  // namespace

std::string what_follows(const SimulatedCluster& cluster, std::size_t step, const Simulation::Finding& finding,
                         Simulation::Time end) {
  if (!decides(cluster, step, finding)) return {};
  const Simulation::Time grace = grace_at(cluster, finding.first);
  std::size_t tainted = 0;
  std::size_t emptied = 0;
  std::size_t pods = 0;
  for (const Client& client : cluster.ledger().clients()) {
    if (client.who != finding.who) continue;
    const Simulation::Time silent = silent_for(cluster, client, step, end);
    if (silent <= grace) continue;
    tainted += client.weight;
    if (silent <= grace + tolerated) continue;
    emptied += client.weight;
    pods += client.weight * cluster.workload_on(client.node);
  }
  if (tainted == 0) return {};
  std::string out = nodes_text(tainted) + " tainted node.kubernetes.io/unreachable after " + length_text(grace);
  if (emptied == 0) return out + ", back before pods are evicted";
  if (pods == 0) return out;
  return out + "; " + std::to_string(pods) + (pods == 1 ? " pod" : " pods") + " evicted from " + nodes_text(emptied) +
         " after " + length_text(grace + tolerated);
}

}  // namespace nodebound
