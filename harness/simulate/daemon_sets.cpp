#include "harness/simulate/daemon_sets.h"

#include "fakes/scheduler/placement.h"

namespace nodebound {
namespace {

Object pod_of(const Plan::DaemonSet& set, const std::string& node) {
  Object tolerations = set.tolerations;
  if (tolerations.is_null()) tolerations = Object::array();
  return {{"metadata", {{"name", set.name + "-" + node}, {"namespace", set.namespace_}}},
          {"spec",
           {{"nodeName", node},
            {"nodeSelector", set.node_selector},
            {"tolerations", tolerations},
            {"containers", {{{"name", "main"}, {"image", "registry.example/" + set.name}}}}}}};
}

}  // namespace

void DaemonSets::place(const std::vector<Object>& nodes) {
  for (std::size_t i = 0; i < sets_.size(); ++i) {
    const Plan::DaemonSet& set = sets_[i];
    std::set<std::string> wanted;
    for (const Object& node : nodes) {
      const std::string name(text(node, "metadata", "name"));
      if (fits(pod_of(set, name), node)) wanted.insert(name);
    }
    const std::string collection = api_path("v1", "pods", set.namespace_);
    for (const std::string& node : wanted) {
      if (!pods_[i].contains(node)) administrator_.call("POST", collection, pod_of(set, node));
    }
    for (const std::string& node : pods_[i]) {
      if (wanted.contains(node)) continue;
      const std::string pod = api_path("v1", "pods", set.namespace_, set.name + "-" + node);
      administrator_.call("DELETE", pod + "?gracePeriodSeconds=0");
    }
    pods_[i] = std::move(wanted);
  }
}

void DaemonSets::schedule(const std::vector<Object>& nodes) {
  const HttpResponse response = administrator_.call("GET", "/api/v1/pods?fieldSelector=spec.nodeName%3D");
  const Object list = Object::parse(response.body, nullptr, false);
  for (const Object& pod : member(list, "items")) {
    std::string best;
    for (const Object& node : nodes) {
      const std::string name(text(node, "metadata", "name"));
      if (fits(pod, node) && (best.empty() || scheduled_[name] < scheduled_[best])) best = name;
    }
    if (best.empty()) continue;
    const std::string namespace_(text(pod, "metadata", "namespace"));
    const std::string name(text(pod, "metadata", "name"));
    administrator_.call("POST", api_path("v1", "pods", namespace_, name) + "/binding",
                        {{"metadata", {{"name", name}}}, {"target", {{"kind", "Node"}, {"name", best}}}});
    ++scheduled_[best];
  }
}

std::vector<std::string> DaemonSets::losses(const std::function<std::size_t(const std::string&)>& weight_of) {
  std::vector<std::string> out;
  counted_.resize(pods_.size());
  for (std::size_t i = 0; i < pods_.size(); ++i) {
    std::size_t now = 0;
    for (const std::string& node : pods_[i]) now += weight_of(node);
    if (now < counted_[i]) {
      out.push_back("daemonset " + sets_[i].name + ": " + std::to_string(now) + " of " + std::to_string(counted_[i]) +
                    " nodes");
    }
    counted_[i] = now;
  }
  return out;
}

}  // namespace nodebound
