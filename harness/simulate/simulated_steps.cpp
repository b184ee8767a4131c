#include <algorithm>
#include <set>
#include <utility>

#include "harness/simulate/representatives.h"
#include "harness/simulate/simulated_cluster.h"

namespace nodebound {

Result<void> SimulatedCluster::carry_out(const Plan::Step& step) {
  for (const Plan::Action& action : step.actions) {
    if (Result<void> done = carry_out(action, step.where); !done) return done;
  }
  return {};
}

Result<void> SimulatedCluster::carry_out(const Plan::Action& action, const std::string& where) {
  if (const auto* change_to = std::get_if<Plan::ChangeControlPlane>(&action)) {
    kubelets_.drop_watches();
    if (Result<void> started = server_.start(change_to->to); !started) return started;
    if (server_version_ != change_to->to.version) {
      versions_.push_back({"", clock_.since_begin(), server_version_.text(), 0});
      versions_.push_back({"", clock_.since_begin(), change_to->to.version.text(), 1});
      server_version_ = change_to->to.version;
    }
  } else if (const auto* pool = std::get_if<Plan::ChangePool>(&action)) {
    change(*pool);
  } else if (const auto* apply = std::get_if<Plan::Apply>(&action)) {
    return administrator_.apply(apply->object, where);
  } else if (const auto* gone = std::get_if<Plan::Delete>(&action)) {
    return administrator_.remove(gone->object, where);
  } else if (const auto* labels = std::get_if<Plan::LabelNodes>(&action)) {
    label(*labels);
  } else if (const auto* set = std::get_if<Plan::ChangeDaemonSet>(&action)) {
    daemon_sets_.select(set->daemon_set, set->node_selector);
  }
  return {};
}

void SimulatedCluster::change(const Plan::ChangePool& change) {
  const std::size_t count = plan_.pools[change.pool].nodes.size();
  const std::size_t at_once = change.apart == Plan::Time(0) ? count : std::min(change.at_once, count);
  KubeletTime at = clock_.now;
  for (std::size_t begin = 0; begin < count; begin += at_once, at += change.apart) {
    plan_event(at, [this, change, begin, end = std::min(begin + at_once, count)] { change_batch(change, begin, end); });
  }
}

void SimulatedCluster::change_batch(const Plan::ChangePool& change, std::size_t begin, std::size_t end) {
  std::set<Version> changed;
  for (std::size_t number = begin; number < end; ++number) {
    const Version before = std::exchange(version_now_[change.pool][number], change.to.version);
    if (before == change.to.version) continue;
    --members_[change.pool][before];
    ++members_[change.pool][change.to.version];
    changed.insert({before, change.to.version});
  }
  for (std::size_t place = 0; place < nodes_[change.pool].size(); ++place) {
    const std::size_t number = nodes_[change.pool][place].number;
    if (number < begin || number >= end) continue;
    if (change.surge) {
      move_node(change.pool, place, change.to);
    } else {
      replace(change.pool, place, change.to);
    }
  }
  tell_versions(change.pool, changed);
}

void SimulatedCluster::replace(std::size_t pool, std::size_t place, const Plan::Kubelet& to) {
  kubelet_now_[pool][place] = to;
  const Node& node = nodes_[pool][place];
  kubelets_.replace(node.kubelet, identity_of(node, to), line_of(node, to), clock_.now);
}

// The new node is there before the old one goes, with its pods.
void SimulatedCluster::move_node(std::size_t pool, std::size_t place, const Plan::Kubelet& to) {
  Node& node = nodes_[pool][place];
  const std::string old = node.name;
  node.name = plan_.pools[pool].name + "-new-" + std::to_string(++replaced_);
  node.client = ledger_.add_client("pool " + plan_.pools[pool].name, node.name, node.weight);
  places_[node.name] = {pool, place};
  replace(pool, place, to);
  make_workload(pool, node.name);
  for (std::size_t i = 0; i < simulated_pods(plan_.pools[pool]); ++i) {
    const std::string pod = api_path("v1", "pods", workload_namespace, old + "-" + std::to_string(i));
    administrator_.call("DELETE", pod + "?gracePeriodSeconds=0");
  }
  administrator_.call("DELETE", "/api/v1/nodes/" + old);
}

void SimulatedCluster::tell_versions(std::size_t pool, const std::set<Version>& changed) {
  const Plan::Time now = std::max(clock_.since_begin(), Plan::Time(0));
  for (const Version& version : changed) {
    versions_.push_back({plan_.pools[pool].name, now, version.text(), members_[pool][version]});
  }
}

void SimulatedCluster::label(const Plan::LabelNodes& change) {
  Object labels = Object::object();
  for (const auto& [key, value] : change.labels) labels[key] = value ? Object(*value) : Object(nullptr);
  for (const Node& node : nodes_[change.pool]) {
    administrator_.call("PATCH", "/api/v1/nodes/" + node.name, {{"metadata", {{"labels", labels}}}});
  }
}

}  // namespace nodebound
