#include "harness/simulate/plan/step_in_short.h"

#include <algorithm>
#include <utility>

#include "reports/simulation/simulation.h"

namespace nodebound::simulate {
namespace {

struct InShort {
  const Plan& plan;
  std::vector<Plan::ControlPlane> servers;
  std::vector<Plan::Kubelet> kubelets;

  std::string operator()(const Plan::ChangeControlPlane& change) {
    const std::vector<Plan::ControlPlane> before = servers;
    for (const auto& [server, to] : change.to) servers[server] = to;
    const auto differs = [&](const auto& one) { return before[one.first] != one.second; };
    auto shown = std::find_if(change.to.begin(), change.to.end(), differs);
    if (shown == change.to.end()) shown = change.to.begin();
    return which(change) + what_changes(before[shown->first], shown->second);
  }
  [[nodiscard]] std::string which(const Plan::ChangeControlPlane& change) const {
    if (change.to.size() == servers.size()) return "control plane";
    std::string numbers;
    for (const auto& [server, to] : change.to) numbers += (numbers.empty() ? "" : ",") + std::to_string(server + 1);
    return "API server " + numbers + " of " + std::to_string(servers.size());
  }
  static std::string what_changes(const Plan::ControlPlane& before, const Plan::ControlPlane& to) {
    if (to.version != before.version) return " " + before.version.text() + " → " + to.version.text();
    if (to.authorization != before.authorization) {
      return ": authorization " + to_text(to.authorization);
    }
    if (to.node_restriction != before.node_restriction) {
      return std::string(": NodeRestriction ") + (to.node_restriction ? "on" : "off");
    }
    return ": other feature gates";
  }
  std::string operator()(const Plan::ChangePool& change) {
    const Plan::Kubelet before = std::exchange(kubelets[change.pool], change.to);
    const std::string pool = "pool " + plan.pools[change.pool].name;
    if (change.to.version != before.version)
      return pool + " " + before.version.text() + " → " + change.to.version.text();
    if (change.to.user != before.user || change.to.groups != before.groups) return pool + ": other credentials";
    if (change.to.gates != before.gates) return pool + ": other feature gates";
    if (change.to.api != before.api) return pool + ": others may ask its kubelets";
    return pool + ": other kubelet flags";
  }
  std::string operator()(const Plan::Apply& apply) const {
    const std::string namespace_(text(apply.object, "metadata", "namespace"));
    return "apply " + std::string(text(apply.object, "kind")) + " " + (namespace_.empty() ? "" : namespace_ + "/") +
           std::string(text(apply.object, "metadata", "name"));
  }
  std::string operator()(const Plan::Delete& gone) const { return "delete " + gone.object.text(); }
  std::string operator()(const Plan::LabelNodes& labels) const {
    std::string keys;
    for (const auto& [key, value] : labels.labels)
      keys += std::string(keys.empty() ? "" : ", ") + (value ? "" : "no ") + key;
    return "label nodes of pool " + plan.pools[labels.pool].name + ": " + keys;
  }
  std::string operator()(const Plan::ChangeDaemonSet& change) const {
    return "daemonset " + plan.daemon_sets[change.daemon_set].name + ": other node selector";
  }
  std::string operator()(const Plan::BootstrapToken& token) const {
    return "bootstrap token " + token.id + (token.ttl ? " for " + to_text(*token.ttl).substr(1) : "");
  }
  std::string operator()(const Plan::Certificates& /*certificates*/) const { return "other times of certificates"; }
};

}  // namespace

std::string step_in_short(const Plan& plan, std::size_t step) {
  InShort in_short{plan, std::vector(plan.servers, plan.control_plane), {}};
  for (const Plan::Pool& pool : plan.pools) in_short.kubelets.push_back(pool.kubelet);
  std::string out;
  for (std::size_t i = 0; i <= step; ++i) {
    out.clear();
    for (const Plan::Action& action : plan.steps[i].actions) {
      out += (out.empty() ? "" : "; ") + std::visit(in_short, action);
    }
  }
  return plan.steps[step].what.empty() ? out : plan.steps[step].what;
}

}  // namespace nodebound::simulate
