#include <algorithm>
#include <set>
#include <utility>

#include "harness/simulate/fleet/representatives.h"
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
    return change(*change_to);
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
  } else if (const auto* token = std::get_if<Plan::BootstrapToken>(&action)) {
    return make_token(*token, where);
  } else if (const auto* certificates = std::get_if<Plan::Certificates>(&action)) {
    controllers_.change(*certificates);
  }
  return {};
}

Result<void> SimulatedCluster::change(const Plan::ChangeControlPlane& change) {
  std::map<Plan::Time, Servers> batches;
  std::size_t number = 0;
  for (const auto& [server, to] : change.to) batches[change.after(number++)].emplace(server, to);
  for (const auto& [after, batch] : batches) {
    if (after == Plan::Time(0)) {
      if (Result<void> done = replace_servers(batch); !done) return done;
      continue;
    }
    plan_event(clock_.now + after, [this, batch = batch] {
      if (Result<void> done = replace_servers(batch); !done) failure_ = done.error();
    });
  }
  return {};
}

Result<void> SimulatedCluster::replace_servers(const Servers& servers) {
  // With several servers, only watches at the replaced ones end, which the servers handle themselves.
  if (servers.size() == balancer_.size()) kubelets_.drop_watches();
  const std::map<Version, std::size_t> before = balancer_.members();
  for (const auto& [number, to] : servers) {
    if (Result<void> started = balancer_.start(number, to); !started) return started;
  }
  ledger_.servers_are(balancer_.kinds(), clock_.since_begin());
  tell_versions(before);
  return {};
}

void SimulatedCluster::tell_versions(const std::map<Version, std::size_t>& before) {
  std::map<Version, std::size_t> now = balancer_.members();
  for (const auto& [version, members] : before) now.try_emplace(version, 0);
  for (const auto& [version, members] : now) {
    const auto same = before.find(version);
    if (same != before.end() && same->second == members) continue;
    versions_.push_back({"", clock_.since_begin(), version.text(), members});
  }
}

std::vector<std::string> SimulatedCluster::names_of(const std::set<std::size_t>& kinds) const {
  std::vector<std::string> out;
  out.reserve(kinds.size());
  for (const std::size_t kind : kinds) out.push_back(balancer_.name_of(kind));
  return out;
}

void SimulatedCluster::change(const Plan::ChangePool& change) {
  std::map<Plan::Time, std::pair<std::size_t, std::size_t>> batches;  // first, and one past the last
  for (std::size_t number = 0; number < plan_.pools[change.pool].nodes.size(); ++number) {
    batches.try_emplace(change.after(number), number, number).first->second.second = number + 1;
  }
  for (const auto& [after, batch] : batches) {
    plan_event(clock_.now + after, [this, change, batch = batch] { change_batch(change, batch.first, batch.second); });
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
  apis_.erase({pool, place});
  const Node& node = nodes_[pool][place];
  kubelets_.replace(node.kubelet, identity_of(node, to), line_of(node, to), clock_.now);
}

// The new node exists before the old one, with its pods, is removed.
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
