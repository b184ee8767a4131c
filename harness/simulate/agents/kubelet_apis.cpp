#include "harness/simulate/agents/kubelet_apis.h"

namespace nodebound::simulate {

PlannedKubeletApi& KubeletApis::of(const NodePlace& place) {
  const SimulatedNode& node = fleet_.nodes()[place];
  Started& started = apis_[place];
  if (started.api && started.starts == node.starts) return *started.api;
  KubeletConnections& connections = fleet_.connections();
  const auto reviewing = [&connections, caller = KubeletConnections::caller_of(node)](const HttpRequest& review) {
    return connections.answer(caller, fake_kubelet::KubeletCredential::node, review);
  };
  started.starts = node.starts;
  started.api = std::make_unique<PlannedKubeletApi>(rules_of(node.kubelet), node.name, reviewing, clock_);
  return *started.api;
}

std::shared_ptr<KubeletApiRules> KubeletApis::rules_of(const Plan::Kubelet& kubelet) {
  std::shared_ptr<KubeletApiRules>& rules = rules_[{kubelet.version, kubelet.gates, kubelet.api}];
  if (!rules) rules = std::make_shared<KubeletApiRules>(catalogue_, kubelet);
  return rules;
}

}  // namespace nodebound::simulate
