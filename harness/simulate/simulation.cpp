#include "harness/simulate/simulation.h"

#include <algorithm>
#include <functional>
#include <set>

#include "harness/simulate/control_plane/node_lifecycle.h"
#include "harness/simulate/findings/change_request.h"
#include "harness/simulate/findings/remedies.h"
#include "harness/simulate/findings/rule_sources.h"
#include "harness/simulate/plan/plan_size.h"

namespace nodebound {
namespace {

constexpr std::int64_t most_slices = 240;

// A slice is a multiple of the intervals of heartbeats and default agents, and a familiar length. Other lengths would
// count alternating numbers of requests, which look like refusals that come and go.
Simulation::Time slice_of(Simulation::Time length) {
  using std::chrono::minutes;
  Simulation::Time out = minutes(5);
  for (const int round : {10, 15, 30, 60, 120, 180, 360, 720, 1440, 2880, 10'080, 20'160, 40'320}) {
    if (length <= out * most_slices) return out;
    out = minutes(round);
  }
  return out;
}

using Seen = RefusalLedger::Seen;

void each_seen(const SimulatedCluster& cluster, std::size_t kind, std::size_t step,
               const std::function<void(const RefusalLedger::Client&, const Seen&)>& visit) {
  for (const RefusalLedger::Client& client : cluster.ledger().clients()) {
    for (const Seen& seen : client.seen) {
      if (seen.kind == kind && seen.step == step) visit(client, seen);
    }
  }
}

// The finding of a kind of refusal after a step, over all newly refused clients.
std::optional<Simulation::Finding> finding_of(const SimulatedCluster& cluster, std::size_t kind, std::size_t step) {
  Simulation::Finding out;
  std::set<std::string> nodes;
  bool first = true;
  bool healed = true;
  each_seen(cluster, kind, step, [&](const RefusalLedger::Client& client, const Seen& seen) {
    if (!client.node.empty()) nodes.insert(client.node);
    out.count += seen.count;
    out.first = first ? seen.first : std::min(out.first, seen.first);
    out.last = first ? seen.last : std::max(out.last, seen.last);
    healed = healed && seen.healed.has_value();
    if (seen.healed) out.healed = std::max(out.healed.value_or(*seen.healed), *seen.healed);
    first = false;
  });
  if (first) return std::nullopt;
  if (!healed) out.healed.reset();
  for (const std::string& node : nodes) {
    out.nodes += cluster.weight_of(node);
    out.pods += cluster.weight_of(node) * cluster.pods_on(node);
  }
  out.first = std::max(out.first, Simulation::Time(0));
  out.last = std::max(out.last, Simulation::Time(0));
  return out;
}

void tell_kubelets(const SimulatedCluster& cluster, std::size_t kind, Simulation::Finding& finding, std::size_t step) {
  std::set<KubeletKind> refused_by;
  each_seen(cluster, kind, step, [&](const RefusalLedger::Client&, const Seen& seen) {
    refused_by.insert(seen.kubelets.begin(), seen.kubelets.end());
  });
  for (const KubeletKind& kubelet : refused_by) finding.kubelets.push_back(kubelet.name());
}

// The API servers that refuse it while others allow it.
void tell_servers(const SimulatedCluster& cluster, std::size_t kind, Simulation::Finding& finding, std::size_t step) {
  if (cluster.ledger().kinds()[kind].kubelet) return tell_kubelets(cluster, kind, finding, step);
  std::set<std::size_t> refused_by;
  std::set<std::size_t> allowed_by;
  bool by_all = true;
  each_seen(cluster, kind, step, [&](const RefusalLedger::Client&, const Seen& seen) {
    refused_by.insert(seen.refused_by.begin(), seen.refused_by.end());
    allowed_by.insert(seen.allowed_by.begin(), seen.allowed_by.end());
    if (seen.allowed_by.empty()) return;
    by_all = by_all && seen.by_all.has_value();
    if (seen.by_all) finding.by_all = std::max(finding.by_all.value_or(*seen.by_all), *seen.by_all);
  });
  if (!by_all) finding.by_all.reset();
  std::erase_if(refused_by, [&](std::size_t server) { return allowed_by.contains(server); });
  if (refused_by.empty() || allowed_by.empty()) return;
  finding.refused_by = cluster.names_of(refused_by);
  finding.allowed_by = cluster.names_of(allowed_by);
}

// Replaces the node's name in `text`, so that messages to several nodes can be compared.
std::string without_node(std::string text, const std::string& node) {
  if (node.empty()) return text;
  for (std::size_t at = text.find(node); at != std::string::npos; at = text.find(node, at))
    text.replace(at, node.size(), "");
  return text;
}

// The first message, and the different ones of other kinds of servers.
void tell_words(const SimulatedCluster& cluster, std::size_t kind, std::size_t step, Simulation::Finding& finding) {
  const std::vector<RefusalLedger::Told>& told = cluster.ledger().told(kind, step);
  finding.example = told.front().example;
  finding.body = told.front().body;
  finding.reason = told.front().reason;
  finding.check = check_of(cluster.plan(), finding, told.front().node);
  std::set<std::string> known;
  for (const RefusalLedger::Told& one : told) {
    if (!known.insert(without_node(one.reason, one.node)).second || &one == &told.front()) continue;
    finding.other_reasons.push_back({cluster.names_of({one.servers}).front(), one.reason});
  }
}

// The release of the server that refused first; of kubelets, the oldest that refused.
std::string release_of(const SimulatedCluster& cluster, std::size_t kind, std::size_t step,
                       const Simulation::Finding& finding) {
  const std::string name = finding.kubelets.empty()
                               ? cluster.names_of({cluster.ledger().told(kind, step).front().servers}).front()
                               : finding.kubelets.front();
  return name.substr(0, name.find(' '));
}

std::vector<Simulation::Finding> findings_of(const SimulatedCluster& cluster, std::size_t step,
                                             const Catalogue& catalogue) {
  std::vector<Simulation::Finding> out;
  const auto& kinds = cluster.ledger().kinds();
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    std::optional<Simulation::Finding> finding = finding_of(cluster, i, step);
    if (!finding) continue;
    tell_servers(cluster, i, *finding, step);
    const RefusalLedger::Kind& kind = kinds[i];
    finding->request = request_in_short(kind.attributes);
    finding->status = kind.status;
    finding->who = kind.who;
    tell_words(cluster, i, step, *finding);
    finding->rule = kind.rule;
    if (const auto rule = catalogue.find(kind.rule)) {
      finding->statement = catalogue[*rule].statement;
      finding->sources = sources_of(catalogue[*rule], release_of(cluster, i, step, *finding));
    }
    out.push_back(std::move(*finding));
  }
  return out;
}

// Duration and healing are known only at the end, but the number of affected pods is that of the beginning.
void see_how_it_ended(const SimulatedCluster& cluster, const Catalogue& catalogue, Simulation::Time end,
                      Simulation::Step& step) {
  std::vector<Simulation::Finding> at_end = findings_of(cluster, step.number, catalogue);
  for (std::size_t i = 0; i < step.findings.size(); ++i) at_end[i].pods = step.findings[i].pods;
  for (Simulation::Finding& finding : at_end) {
    finding.healed_by_plan = finding.healed && *finding.healed >= step.until;
    finding.follows = what_follows(cluster, step.number, finding, end);
  }
  step.findings = std::move(at_end);
  step.losses = cluster.losses_of(step.number);
  for (Simulation::Loss& loss : step.losses) loss.healed_by_plan = loss.healed && *loss.healed >= step.until;
}

}  // namespace

Result<Simulation> simulate(const Plan& plan, PlannedServers& servers, SimulatedClock& clock,
                            const Catalogue& catalogue, const SimulationProgress& progress) {
  if (Result<void> sized = check_size(plan); !sized) return tl::unexpected<Error>(sized.error());
  Simulation out;
  out.title = plan.title;
  out.file = plan.file;
  out.seed = plan.seed;
  out.length = end_of_last_change(plan) + plan.settle;
  out.slice = slice_of(out.length);
  SimulatedCluster cluster(plan, servers, clock, catalogue);
  cluster.ledger().set_slice(out.slice);
  SimulationState state;
  state.steps = plan.steps.size();
  if (progress) {
    cluster.on_progress([&](Plan::Time now) {
      state.part = static_cast<double>(std::max(now, Plan::Time(0)).count()) / static_cast<double>(out.length.count());
      progress(state);
    });
  }
  if (Result<void> begun = cluster.begin(); !begun) return tl::unexpected<Error>(begun.error());
  for (std::size_t i = 0; i <= plan.steps.size(); ++i) {
    Simulation::Step step;
    step.number = i;
    if (i > 0) {
      const Plan::Step& planned = plan.steps[i - 1];
      step.what = step_in_short(plan, i - 1);
      step.where = planned.where;
      step.checks = checks_before(plan, i - 1);
      step.rollback = rollback_of(plan, i - 1);
      step.at = planned.at;
      state.step = i;
      state.what = step.what;
      cluster.ledger().next_step();
      if (Result<void> done = cluster.carry_out(planned); !done) return tl::unexpected<Error>(done.error());
    } else {
      step.what = "begin";
    }
    step.until = i < plan.steps.size() ? plan.steps[i].at : out.length;
    // An event exactly at the end would start another slice.
    const bool last = i == plan.steps.size();
    const Plan::Time until = last ? step.until - Plan::Time(1) : step.until;
    if (Result<void> done = cluster.run_until(until); !done) return tl::unexpected<Error>(done.error());
    step.health = cluster.health(i);
    step.findings = findings_of(cluster, i, catalogue);
    out.steps.push_back(std::move(step));
  }
  for (Simulation::Step& step : out.steps) see_how_it_ended(cluster, catalogue, out.length, step);
  out.not_simulated = what_is_not_simulated(plan);
  if (const auto note = cluster.how_many()) out.notes.push_back(*note);
  out.versions = cluster.versions();
  out.not_ready = cluster.not_ready(out.length);
  for (const auto& [slice, count] : cluster.ledger().slices()) {
    out.refusals.push_back({out.slice * static_cast<std::int64_t>(slice.first), slice.second, count});
  }
  out.run.requests = cluster.ledger().requests();
  return out;
}

Result<Simulation> simulate_without_remedies(const Plan& plan, const Catalogue& catalogue,
                                             const SimulationProgress& progress) {
  SimulatedClock clock;
  const auto servers = make_reference_servers(catalogue, clock);
  Result<Simulation> out = simulate(plan, *servers, clock, catalogue, progress);
  if (!out) return out;
  out->target = "reference";
  add_advice(*out);
  return out;
}

Result<Simulation> simulate_on_reference(const Plan& plan, const Catalogue& catalogue,
                                         const SimulationProgress& progress) {
  Result<Simulation> out = simulate_without_remedies(plan, catalogue, progress);
  if (!out) return out;
  SimulationState state;
  state.remedies = true;
  add_remedies(plan, catalogue, *out, [&](std::size_t tried, const std::string& next) {
    state.trials = tried;
    state.what = next;
    if (progress) progress(state);
  });
  return out;
}

}  // namespace nodebound
