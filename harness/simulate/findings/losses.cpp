#include "harness/simulate/findings/losses.h"

#include <algorithm>
#include <utility>

namespace nodebound::simulate {
namespace {

using What = Simulation::Loss::What;

}  // namespace

std::size_t Losses::step_at(Plan::Time time) const {
  std::size_t out = 0;
  while (out < plan_.steps.size() && plan_.steps[out].at <= time) ++out;
  return out;
}

void Losses::add(const Key& key, const NodePlace& place, Plan::Time first, std::size_t count) {
  Entry& entry = losses_[key];
  Simulation::Loss& loss = entry.loss;
  loss.first = entry.members.empty() ? first : std::min(loss.first, first);
  loss.count += count;
  loss.healed.reset();
  if (key.what == What::nodes_not_ready) {
    loss.pods += fleet_.nodes()[place].weight * plan_.pools[place.pool].pods;
  }
  entry.members.push_back(place);
}

void Losses::add_not_ready(const NodePlace& place, std::size_t step, Plan::Time first) {
  const SimulatedNode& node = fleet_.nodes()[place];
  const LossCause cause = why_not_ready(fleet_, node, ledger_, clock_.since_begin());
  add({What::nodes_not_ready, step, place.pool, cause.text, cause.kind}, place, first, node.weight);
}

void Losses::look() {
  for (const NodePlace& place : fleet_.nodes().places()) look_at_node(place);
  for (auto& [key, entry] : losses_) {
    if (!entry.loss.healed && has_healed(key, entry)) entry.loss.healed = clock_.since_begin();
  }
  look_at_daemon_sets();
}

// The loss belongs to the step after which the first heartbeat was missing.
void Losses::look_at_node(const NodePlace& place) {
  const Heartbeats& heartbeats = fleet_.nodes()[place].heartbeats;
  const bool silent = heartbeats.is_silent(clock_.since_begin());
  const bool before = std::exchange(known_[place].silent, silent);
  if (!silent || before) return;
  add_not_ready(place, step_at(heartbeats.last() + Heartbeats::apart), std::max(heartbeats.last(), Plan::Time(0)));
}

void Losses::look_at_daemon_sets() {
  for (std::size_t i = 0; i < plan_.daemon_sets.size(); ++i) {
    KnownDaemonSet& known = known_daemon_sets_[i];
    const std::size_t now = nodes_of_daemon_set(i);
    if (now < known.nodes && !known.fewer_since) known.fewer_since = clock_.since_begin();
    known.nodes = now;
  }
}

std::size_t Losses::nodes_of_daemon_set(std::size_t set) const {
  return daemon_sets_.count(set, [this](const std::string& node) { return fleet_.weight_of(node); });
}

bool Losses::has_healed(const Key& key, const Entry& entry) const {
  const auto all = [&](const auto& is_so) { return std::all_of(entry.members.begin(), entry.members.end(), is_so); };
  const Plan::Time now = clock_.since_begin();
  switch (key.what) {
    case What::nodes_not_ready:
      if (key.kind == "node-gone")
        return all([&](const NodePlace& place) { return health_check_.is_ready(fleet_.nodes()[place]); });
      return all([&](const NodePlace& place) { return !fleet_.nodes()[place].heartbeats.is_silent(now); });
    case What::pods_waiting:
      return all([&](const NodePlace& place) { return fleet_.count_pods(place, SimulatedFleet::Pods::waiting) == 0; });
    case What::pods_lost:
      return nodes_of_daemon_set(key.who) >= entry.loss.of;
  }
  return true;
}

void Losses::note_end_of(std::size_t step, const ClusterHealth& health) {
  look();
  for (const auto& [place, node] : health.nodes) {
    note_not_ready(place, node.ready, step);
    note_waiting(place, node, step);
  }
  for (const DaemonSets::Loss& lost : health.daemon_sets) note_daemon_set(lost, step);
  for (auto& [set, known] : known_daemon_sets_) known.fewer_since.reset();
}

void Losses::note_not_ready(const NodePlace& place, bool ready, std::size_t step) {
  Known& known = known_[place];
  const bool gone = !known.silent && !ready;
  if (gone && !known.gone) add_not_ready(place, step, clock_.since_begin());
  known.gone = gone;
}

void Losses::note_waiting(const NodePlace& place, const NodeHealth& health, std::size_t step) {
  const std::size_t before = std::exchange(known_[place].pods_waiting, health.pods_waiting);
  if (health.pods_waiting <= before || !health.ready) return;
  const SimulatedNode& node = fleet_.nodes()[place];
  const LossCause cause = why_pods_wait(node, ledger_);
  add({What::pods_waiting, step, place.pool, cause.text, cause.kind}, place, clock_.since_begin(),
      node.weight * (health.pods_waiting - before));
}

void Losses::note_daemon_set(const DaemonSets::Loss& lost, std::size_t step) {
  for (const auto& [cause, nodes] : lost.causes) {
    Simulation::Loss& loss = losses_[{What::pods_lost, step, lost.set, cause, "does-not-fit"}].loss;
    loss.count = nodes;
    loss.of = lost.before;
    loss.first = known_daemon_sets_[lost.set].fewer_since.value_or(clock_.since_begin());
  }
}

std::vector<Simulation::Loss> Losses::of(std::size_t step) const {
  std::vector<Simulation::Loss> out;
  for (const auto& [key, entry] : losses_) {
    if (key.step == step) out.push_back(told(key, entry));
  }
  return out;
}

Simulation::Loss Losses::told(const Key& key, const Entry& entry) const {
  Simulation::Loss loss = entry.loss;
  loss.what = key.what;
  loss.cause = key.cause;
  loss.kind = key.kind;
  if (key.what == What::pods_lost) {
    loss.who = "daemonset " + plan_.daemon_sets[key.who].name;
    return loss;
  }
  const Plan::Pool& pool = plan_.pools[key.who];
  loss.who = "pool " + pool.name;
  loss.of = key.what == What::nodes_not_ready ? pool.nodes.size() : pool.nodes.size() * pool.pods;
  loss.of = std::max(loss.of, loss.count);
  return loss;
}

}  // namespace nodebound::simulate
