#include "harness/simulate/control_plane/pod_placement.h"

#include <algorithm>

#include "harness/simulate/control_plane/os_labels.h"

namespace nodebound::simulate {
namespace {

// Every Node starts with a taint. The node lifecycle controller removes it once the Node is ready.
Object without_first_taint(Object node) {
  Object left = Object::array();
  for (const Object& taint : member(node, "spec", "taints")) {
    if (text(taint, "key") != "node.kubernetes.io/not-ready") left.push_back(taint);
  }
  node["spec"]["taints"] = std::move(left);
  return node;
}

bool is_unbound_pod(const Object& object) {
  return text(object, "kind") == "Pod" && text(object, "spec", "nodeName").empty();
}

bool has_unbound_pods(const Plan& plan) {
  const auto applies_one = [](const Plan::Action& action) {
    const auto* apply = std::get_if<Plan::Apply>(&action);
    return apply != nullptr && is_unbound_pod(apply->object);
  };
  return std::any_of(plan.objects.begin(), plan.objects.end(), is_unbound_pod) ||
         std::any_of(plan.steps.begin(), plan.steps.end(), [&](const Plan::Step& step) {
           return std::any_of(step.actions.begin(), step.actions.end(), applies_one);
         });
}

}  // namespace

PodPlacement::PodPlacement(const Plan& plan, LoadBalancer& balancer, ClusterAdministrator& administrator,
                           DaemonSets& daemon_sets)
    : balancer_(balancer),
      administrator_(administrator),
      daemon_sets_(daemon_sets),
      has_unbound_pods_(has_unbound_pods(plan)) {}

void PodPlacement::place() {
  if (daemon_sets_.empty() && !has_unbound_pods_) return;
  const Object list = Object::parse(administrator_.call("GET", "/api/v1/nodes").body, nullptr, false);
  // kube-controller-manager is not newer than the oldest API server.
  const Version oldest = balancer_.members().begin()->first;
  const Release controllers = Release::make(Catalogue::built_in(), oldest, {}).value();
  std::vector<Object> nodes;
  for (const Object& node : member(list, "items")) {
    nodes.push_back(with_os_labels(without_first_taint(node), controllers));
  }
  daemon_sets_.place(std::move(nodes));
  if (has_unbound_pods_) daemon_sets_.schedule();
}

Object PodPlacement::with_os_labels(Object node, const Release& controllers) {
  const Object labels = copied_os_labels(controllers, node);
  if (labels.is_null()) return node;
  const std::string name(text(node, "metadata", "name"));
  administrator_.call("PATCH", api_path("v1", "nodes", "", name), {{"metadata", {{"labels", labels}}}});
  node["metadata"]["labels"].update(labels);
  return node;
}

}  // namespace nodebound::simulate
