#include "harness/simulate/findings/node_lifecycle.h"

#include <algorithm>

#include "reference/release/behaviour_ids.h"
#include "reference/release/kubelet_trait_ids.h"

namespace nodebound::simulate {
namespace {

// The default tolerations of pods. Before taint-based eviction, 1.13, --pod-eviction-timeout had the same length
// (plugin/pkg/admission/defaulttolerationseconds).
constexpr Simulation::Time tolerated = std::chrono::seconds(300);

std::string nodes_text(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " node" : " nodes");
}

bool renews_lease(const fake_kubelet::KubeletTraits* traits) {
  return traits != nullptr && !traits->lease_version.empty();
}

Simulation::Time status_apart(const fake_kubelet::KubeletTraits* traits) {
  return traits == nullptr ? Simulation::Time(0) : Simulation::Time(std::chrono::seconds(traits->status_seconds));
}

}  // namespace

Simulation::Time NodeLifecycle::grace_at(Simulation::Time when) const {
  std::string release;
  for (const Simulation::VersionChange& change : versions_.changes()) {
    if (change.pool.empty() && change.at <= when && change.members > 0) release = change.version;
  }
  const auto version = Version::parse(release);
  const auto known = version ? Release::make(Catalogue::built_in(), *version, {}) : Result<Release>();
  // NodeMonitorGracePeriod (pkg/controller/nodelifecycle/config/v1alpha1/defaults.go)
  return std::chrono::seconds(version && known && known->does(Behaviour::grace_of_50_seconds) ? 50 : 40);
}

bool NodeLifecycle::is_of(Heartbeat heartbeat, const Attributes& asked, const std::string& node) const {
  if (heartbeat == Heartbeat::lease) return asked.resource == "leases";
  if (asked.resource != "nodes") return false;
  if (asked.subresource == "status") return true;
  const fake_kubelet::KubeletTraits* traits = fleet_.traits_of(node);
  const bool gets_node = traits != nullptr && traits->has(KubeletTrait::status_gets_node);
  return gets_node && asked.subresource.empty() && asked.verb == "get";
}

NodeLifecycle::Silence NodeLifecycle::silence_of(const Client& client, std::size_t step, Heartbeat heartbeat) const {
  Silence out;
  for (const RefusalLedger::Seen& seen : client.seen) {
    const Attributes& asked = ledger_.kinds()[seen.kind].attributes;
    if (seen.step != step || !is_of(heartbeat, asked, client.node)) continue;
    out.from = std::min(out.from, seen.first);
    out.until = std::max(out.until, seen.healed.value_or(end_));
  }
  return out;
}

// Either heartbeat keeps a node alive, but a status that is sent less often than a node may be silent does so only part
// of the time.
Simulation::Time NodeLifecycle::silent_for(const Client& client, std::size_t step) const {
  const fake_kubelet::KubeletTraits* traits = fleet_.traits_of(client.node);
  const Silence status = silence_of(client, step, Heartbeat::status);
  if (!renews_lease(traits)) return status.any() ? status.until - status.from : Simulation::Time(0);
  const Silence lease = silence_of(client, step, Heartbeat::lease);
  if (!lease.any()) return Simulation::Time(0);
  if (!status.any()) return std::min<Simulation::Time>(status_apart(traits), lease.until - lease.from);
  return std::max(Simulation::Time(0), std::min(status.until, lease.until) - std::max(status.from, lease.from));
}

// Only one finding of a step describes the consequence: that of the status, or of what keeps it from being sent, or of
// the Lease.
bool NodeLifecycle::decides(std::size_t step, const Simulation::Finding& finding) const {
  if (finding.request == "patch nodes/status") return true;
  const auto& clients = ledger_.clients();
  const auto others = [&](const auto& other) {
    return std::any_of(clients.begin(), clients.end(), [&](const Client& client) {
      return client.who == finding.who && std::any_of(client.seen.begin(), client.seen.end(), [&](const auto& seen) {
               return seen.step == step && other(client, ledger_.kinds()[seen.kind].attributes);
             });
    });
  };
  const auto patches = [](const Client&, const Attributes& asked) { return asked.subresource == "status"; };
  if (finding.request == "get nodes") return !others(patches);
  if (finding.request != "update leases" && finding.request != "get leases") return false;
  const bool of_status = others(
      [&](const Client& client, const Attributes& asked) { return is_of(Heartbeat::status, asked, client.node); });
  const bool updates = others(
      [](const Client&, const Attributes& asked) { return asked.resource == "leases" && asked.verb == "update"; });
  return !of_status && (finding.request == "update leases" || !updates);
}

std::string NodeLifecycle::what_follows(std::size_t step, const Simulation::Finding& finding) const {
  if (!decides(step, finding)) return {};
  const Simulation::Time grace = grace_at(finding.first);
  std::size_t tainted = 0;
  std::size_t emptied = 0;
  std::size_t pods = 0;
  for (const Client& client : ledger_.clients()) {
    if (client.who != finding.who) continue;
    const Simulation::Time silent = silent_for(client, step);
    if (silent <= grace) continue;
    tainted += client.weight;
    if (silent <= grace + tolerated) continue;
    emptied += client.weight;
    pods += client.weight * fleet_.workload_on(client.node);
  }
  if (tainted == 0) return {};
  std::string out = nodes_text(tainted) + " tainted node.kubernetes.io/unreachable after " + length_text(grace);
  if (emptied == 0) return out + ", back before pods are evicted";
  if (pods == 0) return out;
  return out + "; " + std::to_string(pods) + (pods == 1 ? " pod" : " pods") + " evicted from " + nodes_text(emptied) +
         " after " + length_text(grace + tolerated);
}

}  // namespace nodebound::simulate
