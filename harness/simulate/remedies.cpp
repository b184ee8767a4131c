#include "harness/simulate/remedies.h"

#include <algorithm>
#include <compare>
#include <map>
#include <set>

#include "harness/simulate/advice.h"
#include "harness/simulate/simulation.h"
#include "harness/simulate/skew_policy.h"

namespace nodebound {
namespace {

constexpr std::size_t nodes_of_trial = 2;
constexpr std::size_t pods_of_trial = 2;
constexpr std::size_t most_trials = 40;

// A plan that differs, and how.
struct PlanChange {
  std::string what;
  Plan plan;
};

// What findings are compared by: a change of the plan moves them to other steps.
using Complaint = std::tuple<std::string, std::string, std::string>;

Complaint complaint_of(const Simulation::Finding& finding) {
  return {finding.who, finding.request, finding.rule};
}

// In how many steps each is new. The begin counts, too: a plan in which all is refused before its first step avoids
// nothing.
using Complaints = std::map<Complaint, std::size_t>;

Complaints complaints_of(const Simulation& simulation) {
  Complaints out;
  for (const Simulation::Step& step : simulation.steps) {
    for (const Simulation::Finding& finding : step.findings) ++out[complaint_of(finding)];
  }
  return out;
}

std::size_t count_of(const Complaint& complaint, const Complaints& in) {
  const auto found = in.find(complaint);
  return found == in.end() ? 0 : found->second;
}

// The same plan with few nodes of each pool: who is refused what does not depend on how many they are.
Plan small(Plan plan) {
  for (Plan::Pool& pool : plan.pools) {
    if (pool.nodes.size() > nodes_of_trial) pool.nodes.resize(nodes_of_trial);
    pool.pods = std::min(pool.pods, pods_of_trial);
  }
  for (Plan::Step& step : plan.steps) {
    for (Plan::Action& action : step.actions) {
      if (auto* pool = std::get_if<Plan::ChangePool>(&action)) pool->at_once = SIZE_MAX;
    }
  }
  return plan;
}

std::string name_of(const Plan& plan, std::size_t step) {
  return "step " + std::to_string(step + 1) + " (" + step_in_short(plan, step) + ")";
}

void add_later_orders(const Plan& plan, std::size_t step, std::vector<PlanChange>& out) {
  for (std::size_t after = step + 1; after < plan.steps.size(); ++after) {
    Plan changed = plan;
    const auto begin = changed.steps.begin();
    // The others take place when they were to; this one when the last of them does.
    const Plan::Time at = changed.steps[after].at;
    std::rotate(begin + static_cast<std::ptrdiff_t>(step), begin + static_cast<std::ptrdiff_t>(step) + 1,
                begin + static_cast<std::ptrdiff_t>(after) + 1);
    changed.steps[after].at = at;
    if (!keeps_to_policy(changed)) continue;
    out.push_back({name_of(plan, step) + " after " + name_of(plan, after), std::move(changed)});
  }
}

/// A gate that a refusal depends on, and how it would have to be.
struct WantedGate {
  std::string name;
  bool on = false;
  bool of_kubelets = false;

  auto operator<=>(const WantedGate&) const = default;
};

// Whether the release lets it be so.
bool set_gate(const WantedGate& gate, const Version& version, GateSettings& gates, const Catalogue& catalogue) {
  GateSettings changed = gates;
  changed[gate.name] = gate.on;
  if (!Release::make(catalogue, version, changed)) return false;
  gates = std::move(changed);
  return true;
}

// At API servers from the step on that brings the refusal.
bool set_at_servers(const WantedGate& gate, std::size_t step, Plan& plan, const Catalogue& catalogue) {
  bool set = false;
  for (std::size_t i = step; i < plan.steps.size(); ++i) {
    for (Plan::Action& action : plan.steps[i].actions) {
      auto* servers = std::get_if<Plan::ChangeControlPlane>(&action);
      if (servers == nullptr) continue;
      for (auto& [server, to] : servers->to) set = set_gate(gate, to.version, to.gates, catalogue) || set;
    }
  }
  return set;
}

// At kubelets wherever they can have it: a step that has nothing to do with them may bring the refusal.
bool set_at_kubelets(const WantedGate& gate, Plan& plan, const Catalogue& catalogue) {
  bool set = false;
  const auto set_at = [&](Plan::Kubelet& kubelet) {
    set = set_gate(gate, kubelet.version, kubelet.gates, catalogue) || set;
  };
  for (Plan::Pool& pool : plan.pools) set_at(pool.kubelet);
  for (Plan::Step& step : plan.steps) {
    for (Plan::Action& action : step.actions) {
      if (auto* pool = std::get_if<Plan::ChangePool>(&action)) set_at(pool->to);
    }
  }
  return set;
}

void add_gates(const Plan& plan, std::size_t step, const std::set<WantedGate>& gates, const Catalogue& catalogue,
               std::vector<PlanChange>& out) {
  for (const WantedGate& gate : gates) {
    Plan changed = plan;
    const bool set =
        gate.of_kubelets ? set_at_kubelets(gate, changed, catalogue) : set_at_servers(gate, step, changed, catalogue);
    if (!set) continue;
    const std::string where = gate.of_kubelets ? " at kubelets" : " from step " + std::to_string(step + 1) + " on";
    out.push_back({"feature gate " + gate.name + (gate.on ? " on" : " off") + where + ", as long as releases let it be",
                   std::move(changed)});
  }
}

// A restriction is not in force without its gate, a grant not but with it.
std::set<WantedGate> gates_of(const Simulation::Step& step, const Catalogue& catalogue) {
  std::set<WantedGate> out;
  for (const Simulation::Finding& finding : step.findings) {
    const auto rule = catalogue.find(finding.rule);
    if (!rule) continue;
    const RuleEntry& entry = catalogue[*rule];
    const auto add = [&](const std::vector<std::string>& names) {
      for (const std::string& name : names) {
        out.insert({name, entry.effect == Effect::grant, entry.layer == Layer::kubelet});
      }
    };
    for (const ForceRange& range : entry.in_force) {
      add(range.gates);
      add(range.any_gate);
    }
  }
  return out;
}

// Offers the change for the findings that it has less of, if it has more of none.
void offer(const PlanChange& change, const Complaints& before, const Complaints& after, Simulation::Step& step) {
  for (const auto& [complaint, count] : after) {
    if (count > count_of(complaint, before)) return;
  }
  for (Simulation::Finding& finding : step.findings) {
    const Complaint complaint = complaint_of(finding);
    if (count_of(complaint, after) < count_of(complaint, before)) finding.avoided_by.push_back(change.what);
  }
}

bool all_are_avoided(const Simulation::Step& step) {
  return std::none_of(step.findings.begin(), step.findings.end(),
                      [](const Simulation::Finding& finding) { return finding.avoided_by.empty(); });
}

}  // namespace

void add_remedies(const Plan& plan, const Catalogue& catalogue, Simulation& simulation) {
  const Plan trial = small(plan);
  const Complaints before = complaints_of(simulation);
  std::size_t trials = 0;
  for (Simulation::Step& step : simulation.steps) {
    for (Simulation::Finding& finding : step.findings) finding.advice = advice_for(finding);
    if (step.number == 0 || step.findings.empty()) continue;
    std::vector<PlanChange> changes;
    add_later_orders(trial, step.number - 1, changes);
    add_gates(trial, step.number - 1, gates_of(step, catalogue), catalogue, changes);
    for (const PlanChange& change : changes) {
      // One change that mends it is enough, and the first are the better ones.
      if (all_are_avoided(step)) break;
      if (trials++ >= most_trials) return;
      const Result<Simulation> tried = simulate_without_remedies(change.plan, catalogue);
      if (tried) offer(change, before, complaints_of(*tried), step);
    }
  }
}

}  // namespace nodebound
