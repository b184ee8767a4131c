#include <algorithm>

#include "harness/simulate/simulated_cluster.h"

namespace nodebound {
namespace {

using What = Simulation::Loss::What;

struct Cause {
  std::string what;
  std::string kind;
};

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
std::optional<Cause> refusal_behind(const RefusalLedger& ledger, std::size_t client, const Need& need) {
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
  return Cause{request_in_short(best->attributes) + " is refused, HTTP " + status +
                   (best->rule.empty() ? "" : " by rule " + best->rule),
               best->rule.empty() ? status : best->rule};
}

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

}  // namespace

void SimulatedCluster::hear(const std::string& node, const HttpRequest& request, const HttpResponse& response) {
  if (response.status < 200 || response.status >= 300 || request.method == "GET") return;
  const bool is_status = request.target.ends_with("/status") && request.target.starts_with("/api/v1/nodes/");
  const bool is_lease = request.target.find("/namespaces/kube-node-lease/leases") != std::string::npos;
  const bool is_node = request.method == "POST" && request.target == "/api/v1/nodes";
  if (!is_status && !is_lease && !is_node) return;
  const auto found = places_.find(node);
  if (found == places_.end()) return;
  nodes_[found->second.first][found->second.second].heartbeats.hear(clock_.since_begin());
}

SimulatedCluster::LossKey SimulatedCluster::loss_of_node(const Place& place, std::size_t step) const {
  const Node& node = nodes_[place.first][place.second];
  const FakeKubelet& kubelet = kubelets_[node.kubelet];
  const std::string version = kubelet_now_[place.first][place.second].version.text();
  const std::string& exit = kubelet.labels_verdict().exit;
  if (!exit.empty()) {
    return {What::nodes_not_ready, step, place.first, "kubelet " + version + " exits: " + first_line(exit),
            "kubelet-exits"};
  }
  Cause cause = refusal_behind(ledger_, node.client, need_of_node)
                    .value_or(node.heartbeats.is_silent(clock_.since_begin())
                                  ? Cause{"its kubelet sends neither status nor Lease, and is refused nothing", ""}
                                  : Cause{"its Node is gone, and kubelets make it when they start alone", "node-gone"});
  return {What::nodes_not_ready, step, place.first, std::move(cause.what), std::move(cause.kind)};
}

// The step after which the first heartbeat was missing.
std::size_t SimulatedCluster::step_at(Plan::Time time) const {
  std::size_t out = 0;
  while (out < plan_.steps.size() && plan_.steps[out].at <= time) ++out;
  return out;
}

void SimulatedCluster::add_loss(const LossKey& key, const Place& place, Plan::Time first, std::size_t count) {
  const Node& node = nodes_[place.first][place.second];
  OpenLoss& open = losses_[key];
  Simulation::Loss& loss = open.loss;
  loss.first = open.members.empty() ? first : std::min(loss.first, first);
  loss.count += count;
  loss.healed.reset();
  if (key.what == What::nodes_not_ready) loss.pods += node.weight * plan_.pools[place.first].pods;
  open.members.push_back(place);
}

void SimulatedCluster::look_for_losses() {
  const Plan::Time now = clock_.since_begin();
  for (std::size_t pool = 0; pool < nodes_.size(); ++pool) {
    for (std::size_t i = 0; i < nodes_[pool].size(); ++i) {
      Node& node = nodes_[pool][i];
      const bool silent = node.heartbeats.is_silent(now);
      if (silent && !node.lost) {
        const Plan::Time last = node.heartbeats.last();
        add_loss(loss_of_node({pool, i}, step_at(last + heartbeats_apart)), {pool, i}, std::max(last, Plan::Time(0)),
                 node.weight);
      }
      node.lost = silent;
    }
  }
  for (auto& [key, open] : losses_) {
    if (!open.loss.healed && is_well(key, open)) open.loss.healed = now;
  }
  note_fewer_daemon_pods();
}

void SimulatedCluster::note_fewer_daemon_pods() {
  const auto weight = [this](const std::string& node) { return weight_of(node); };
  daemon_counts_.resize(plan_.daemon_sets.size());
  fewer_since_.resize(plan_.daemon_sets.size());
  for (std::size_t i = 0; i < daemon_counts_.size(); ++i) {
    const std::size_t now = daemon_sets_.count(i, weight);
    if (now < daemon_counts_[i] && !fewer_since_[i]) fewer_since_[i] = clock_.since_begin();
    daemon_counts_[i] = now;
  }
}

bool SimulatedCluster::is_well(const LossKey& key, const OpenLoss& open) {
  const auto all = [&](const auto& is_so) { return std::all_of(open.members.begin(), open.members.end(), is_so); };
  const Plan::Time now = clock_.since_begin();
  switch (key.what) {
    case What::nodes_not_ready:
      if (key.kind == "node-gone")
        return all([&](const Place& place) { return is_ready(nodes_[place.first][place.second]); });
      return all([&](const Place& place) { return !nodes_[place.first][place.second].heartbeats.is_silent(now); });
    case What::pods_waiting:
      return all([&](const Place& place) {
        return count_pods(place.first, kubelets_[nodes_[place.first][place.second].kubelet], true) == 0;
      });
    case What::pods_lost:
      return daemon_sets_.count(key.who, [this](const std::string& node) { return weight_of(node); }) >= open.loss.of;
  }
  return true;
}

void SimulatedCluster::note_losses_at_end_of(std::size_t step, const std::vector<DaemonSets::Loss>& of_daemon_sets) {
  look_for_losses();
  const Plan::Time now = clock_.since_begin();
  for (std::size_t pool = 0; pool < nodes_.size(); ++pool) {
    for (std::size_t i = 0; i < nodes_[pool].size(); ++i) {
      Node& node = nodes_[pool][i];
      if (!node.lost && !node.ready && !node.gone) add_loss(loss_of_node({pool, i}, step), {pool, i}, now, node.weight);
      node.gone = !node.lost && !node.ready;
      const std::size_t before = std::exchange(node.waiting_before, node.waiting);
      if (node.waiting <= before || !node.ready) continue;
      const Cause cause = refusal_behind(ledger_, node.client, need_of_pod)
                              .value_or(Cause{"their kubelet is refused nothing that they need", ""});
      add_loss({What::pods_waiting, step, pool, cause.what, cause.kind}, {pool, i}, now,
               node.weight * (node.waiting - before));
    }
  }
  for (const DaemonSets::Loss& lost : of_daemon_sets) {
    for (const auto& [cause, nodes] : lost.causes) {
      OpenLoss& open = losses_[{What::pods_lost, step, lost.set, cause, "does-not-fit"}];
      open.loss.count = nodes;
      open.loss.of = lost.before;
      open.loss.first = fewer_since_[lost.set].value_or(now);
    }
  }
  fewer_since_.assign(fewer_since_.size(), std::nullopt);
}

std::vector<Simulation::Loss> SimulatedCluster::losses_of(std::size_t step) const {
  std::vector<Simulation::Loss> out;
  for (const auto& [key, open] : losses_) {
    if (key.step != step) continue;
    Simulation::Loss loss = open.loss;
    loss.what = key.what;
    loss.cause = key.cause;
    loss.kind = key.kind;
    const bool of_pool = key.what != What::pods_lost;
    loss.who = of_pool ? "pool " + plan_.pools[key.who].name : "daemonset " + plan_.daemon_sets[key.who].name;
    if (of_pool) {
      const Plan::Pool& pool = plan_.pools[key.who];
      loss.of = key.what == What::nodes_not_ready ? pool.nodes.size() : pool.nodes.size() * pool.pods;
      loss.of = std::max(loss.of, loss.count);
    }
    out.push_back(std::move(loss));
  }
  return out;
}

std::vector<Simulation::NotReady> SimulatedCluster::not_ready(Plan::Time end) const {
  std::map<Plan::Time, std::int64_t> changes;
  for (const std::vector<Node>& pool : nodes_) {
    for (const Node& node : pool) {
      for (const Heartbeats::Silence& silence : node.heartbeats.silences(end)) {
        changes[std::max(silence.from, Plan::Time(0))] += static_cast<std::int64_t>(node.weight);
        changes[std::max(silence.until, Plan::Time(0))] -= static_cast<std::int64_t>(node.weight);
      }
    }
  }
  std::vector<Simulation::NotReady> out;
  std::int64_t now = 0;
  for (const auto& [at, change] : changes) {
    if (change == 0) continue;
    now += change;
    out.push_back({at, static_cast<std::size_t>(now)});
  }
  return out;
}

}  // namespace nodebound
