#include "harness/simulate/remedies.h"

#include <algorithm>
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

std::set<Complaint> complaints_of(const Simulation& simulation) {
  std::set<Complaint> out;
  for (const Simulation::Step& step : simulation.steps) {
    if (step.number == 0) continue;
    for (const Simulation::Finding& finding : step.findings) out.insert(complaint_of(finding));
  }
  return out;
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

// Whether the release lets it be off.
bool turn_off(const std::string& gate, Plan::ControlPlane& server, const Catalogue& catalogue) {
  GateSettings gates = server.gates;
  gates[gate] = false;
  if (!Release::make(catalogue, server.version, gates)) return false;
  server.gates = std::move(gates);
  return true;
}

void add_gates_off(const Plan& plan, std::size_t step, const std::set<std::string>& gates, const Catalogue& catalogue,
                   std::vector<PlanChange>& out) {
  for (const std::string& gate : gates) {
    Plan changed = plan;
    bool set = false;
    for (std::size_t i = step; i < changed.steps.size(); ++i) {
      for (Plan::Action& action : changed.steps[i].actions) {
        auto* control_plane = std::get_if<Plan::ChangeControlPlane>(&action);
        if (control_plane == nullptr) continue;
        for (auto& [server, to] : control_plane->to) set = turn_off(gate, to, catalogue) || set;
      }
    }
    if (!set) continue;
    out.push_back(
        {"feature gate " + gate + " off from step " + std::to_string(step + 1) + " on, as long as releases let it be",
         std::move(changed)});
  }
}

std::set<std::string> gates_of(const Simulation::Step& step, const Catalogue& catalogue) {
  std::set<std::string> out;
  for (const Simulation::Finding& finding : step.findings) {
    const auto rule = catalogue.find(finding.rule);
    if (!rule) continue;
    for (const ForceRange& range : catalogue[*rule].in_force) {
      out.insert(range.gates.begin(), range.gates.end());
      out.insert(range.any_gate.begin(), range.any_gate.end());
    }
  }
  return out;
}

// Offers the change for the findings that it is without.
void offer(const PlanChange& change, const std::set<Complaint>& before, const std::set<Complaint>& after,
           Simulation::Step& step) {
  if (!std::includes(before.begin(), before.end(), after.begin(), after.end())) return;
  for (Simulation::Finding& finding : step.findings) {
    if (!after.contains(complaint_of(finding))) finding.avoided_by.push_back(change.what);
  }
}

bool all_are_avoided(const Simulation::Step& step) {
  return std::none_of(step.findings.begin(), step.findings.end(),
                      [](const Simulation::Finding& finding) { return finding.avoided_by.empty(); });
}

}  // namespace

void add_remedies(const Plan& plan, const Catalogue& catalogue, Simulation& simulation) {
  const Plan trial = small(plan);
  const std::set<Complaint> before = complaints_of(simulation);
  std::size_t trials = 0;
  for (Simulation::Step& step : simulation.steps) {
    for (Simulation::Finding& finding : step.findings) finding.advice = advice_for(finding.rule);
    if (step.number == 0 || step.findings.empty()) continue;
    std::vector<PlanChange> changes;
    add_later_orders(trial, step.number - 1, changes);
    add_gates_off(trial, step.number - 1, gates_of(step, catalogue), catalogue, changes);
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
