#include "harness/simulate/control_plane/daemon_sets.h"

#include "fakes/scheduler/placement.h"

namespace nodebound::simulate {
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

void DaemonSets::place(std::vector<Object> nodes) {
  nodes_ = std::move(nodes);
  for (std::size_t i = 0; i < sets_.size(); ++i) {
    const Plan::DaemonSet& set = sets_[i];
    std::set<std::string> wanted;
    for (const Object& node : nodes_) {
      const std::string name(text(node, "metadata", "name"));
      if (scheduler::fits(pod_of(set, name), node)) wanted.insert(name);
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

void DaemonSets::schedule() {
  const HttpResponse response = administrator_.call("GET", "/api/v1/pods?fieldSelector=spec.nodeName%3D");
  const Object list = Object::parse(response.body, nullptr, false);
  for (const Object& pod : member(list, "items")) {
    std::string best;
    for (const Object& node : nodes_) {
      const std::string name(text(node, "metadata", "name"));
      if (scheduler::fits(pod, node) && (best.empty() || scheduled_[name] < scheduled_[best])) best = name;
    }
    if (best.empty()) continue;
    const std::string namespace_(text(pod, "metadata", "namespace"));
    const std::string name(text(pod, "metadata", "name"));
    administrator_.call("POST", api_path("v1", "pods", namespace_, name) + "/binding",
                        {{"metadata", {{"name", name}}}, {"target", {{"kind", "Node"}, {"name", best}}}});
    ++scheduled_[best];
  }
}

std::string DaemonSets::Loss::text() const {
  return "daemonset " + name + ": " + std::to_string(now) + " of " + std::to_string(before) + " nodes";
}

std::size_t DaemonSets::count(std::size_t set, const Weight& weight_of) const {
  std::size_t out = 0;
  for (const std::string& node : pods_[set]) out += weight_of(node);
  return out;
}

// Considers only existing Nodes: a Node that replaced another may be the one that does not fit.
std::map<std::string, std::size_t> DaemonSets::causes_of(std::size_t set, const Weight& weight_of) const {
  std::map<std::string, std::size_t> out;
  std::set<std::string> left = before_[set];
  for (const Object& node : nodes_) {
    const std::string name(text(node, "metadata", "name"));
    const bool had_it = left.erase(name) > 0;
    if (pods_[set].contains(name)) continue;
    const bool is_new = !had_it && !known_.contains(name);
    const std::string why = scheduler::why_not(pod_of(sets_[set], name), node);
    if ((had_it || is_new) && !why.empty()) out["its node " + why] += weight_of(name);
  }
  std::size_t gone = 0;
  for (const std::string& node : left) gone += weight_of(node);
  if (out.empty() && gone > 0) out["the Node is gone"] = gone;
  return out;
}

std::vector<DaemonSets::Loss> DaemonSets::losses(const Weight& weight_of) {
  std::vector<Loss> out;
  counted_.resize(pods_.size());
  for (std::size_t i = 0; i < pods_.size(); ++i) {
    const std::size_t now = count(i, weight_of);
    if (now < counted_[i]) out.push_back({i, sets_[i].name, now, counted_[i], causes_of(i, weight_of)});
    counted_[i] = now;
    before_[i] = pods_[i];
  }
  known_.clear();
  for (const Object& node : nodes_) known_.emplace(text(node, "metadata", "name"));
  return out;
}

}  // namespace nodebound::simulate
