#include "harness/simulate/findings/loss_causes.h"

#include <algorithm>
#include <optional>

namespace nodebound::simulate {
namespace {

// The requests that a node needs, the most informative first.
std::optional<std::size_t> need_of_node(const Attributes& asked) {
  if (asked.resource == "certificatesigningrequests") return 0;
  if (asked.resource == "nodes") return asked.verb == "create" ? 1 : asked.subresource == "status" ? 2 : 3;
  if (asked.resource == "leases") return 4;
  return std::nullopt;
}

// The requests that a pod needs to start.
std::optional<std::size_t> need_of_pod(const Attributes& asked) {
  static const std::vector<std::string> resources = {
      "secrets",           "configmaps",        "serviceaccounts", "persistentvolumeclaims",
      "persistentvolumes", "volumeattachments", "resourceclaims",  "pods"};
  const auto found = std::find(resources.begin(), resources.end(), asked.resource);
  if (found == resources.end()) return std::nullopt;
  return static_cast<std::size_t>(found - resources.begin());
}

// The most informative of the needed requests that are still refused.
template <typename Need>
std::optional<LossCause> refusal_behind(const RefusalLedger& ledger, std::size_t client, const Need& need) {
  const RefusalLedger::Kind* best = nullptr;
  std::size_t best_need = SIZE_MAX;
  for (const RefusalLedger::Seen& seen : ledger.clients()[client].seen) {
    const RefusalLedger::Kind& kind = ledger.kinds()[seen.kind];
    const std::optional<std::size_t> wanted = need(kind.attributes);
    if (seen.healed || !wanted || *wanted >= best_need) continue;
    best = &kind;
    best_need = *wanted;
  }
  if (best == nullptr) return std::nullopt;
  const std::string status = std::to_string(best->status);
  return LossCause{request_in_short(best->attributes) + " is refused, HTTP " + status +
                       (best->rule.empty() ? "" : " by rule " + best->rule),
                   best->rule.empty() ? status : best->rule};
}

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

}  // namespace

LossCause why_not_ready(const SimulatedFleet& fleet, const SimulatedNode& node, const RefusalLedger& ledger,
                        Plan::Time now) {
  const std::string& exit = fleet.kubelet_of(node).labels_verdict().exit;
  if (!exit.empty()) return {"kubelet " + node.kubelet.version.text() + " exits: " + first_line(exit), "kubelet-exits"};
  if (auto refused = refusal_behind(ledger, node.client, need_of_node)) return std::move(*refused);
  if (node.heartbeats.is_silent(now)) return {"its kubelet sends neither status nor Lease, and is refused nothing", ""};
  return {"its Node is gone, and kubelets make it when they start alone", "node-gone"};
}

LossCause why_pods_wait(const SimulatedNode& node, const RefusalLedger& ledger) {
  return refusal_behind(ledger, node.client, need_of_pod)
      .value_or(LossCause{"their kubelet is refused nothing that they need", ""});
}

}  // namespace nodebound::simulate
