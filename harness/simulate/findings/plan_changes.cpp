#include "harness/simulate/findings/plan_changes.h"

#include <algorithm>
#include <compare>
#include <utility>

#include "fakes/wire/requests.h"
#include "harness/simulate/plan/plan_size.h"
#include "harness/simulate/plan/skew_policy.h"
#include "harness/simulate/plan/step_in_short.h"
#include "reference/authorizer/attributes.h"

namespace nodebound::simulate {
namespace {

std::string step_name(const Plan& plan, std::size_t step) {
  return "step " + std::to_string(step + 1) + " (" + step_in_short(plan, step) + ")";
}

/// A gate that a refusal depends on, with the value that would prevent the refusal.
struct WantedGate {
  std::string name;
  bool on = false;
  bool of_kubelets = false;

  auto operator<=>(const WantedGate&) const = default;
};

// Whether the release accepts that value.
bool set_gate(const WantedGate& gate, const Version& version, GateSettings& gates, const Catalogue& catalogue) {
  GateSettings changed = gates;
  changed[gate.name] = gate.on;
  if (!Release::make(catalogue, version, changed)) return false;
  gates = std::move(changed);
  return true;
}

// Sets the gate at API servers from the step on that causes the refusal. Returns the oldest affected version, if any.
std::optional<Version> set_at_servers(const WantedGate& gate, std::size_t step, Plan& plan,
                                      const Catalogue& catalogue) {
  std::optional<Version> out;
  for (std::size_t i = step; i < plan.steps.size(); ++i) {
    for (Plan::Action& action : plan.steps[i].actions) {
      auto* servers = std::get_if<Plan::ChangeControlPlane>(&action);
      if (servers == nullptr) continue;
      for (auto& [server, to] : servers->to) {
        if (set_gate(gate, to.version, to.gates, catalogue)) out = std::min(out.value_or(to.version), to.version);
      }
    }
  }
  return out;
}

// Sets the gate at all kubelets that accept it, because a step that does not touch kubelets may cause the refusal.
std::optional<Version> set_at_kubelets(const WantedGate& gate, Plan& plan, const Catalogue& catalogue) {
  std::optional<Version> out;
  const auto set_at = [&](Plan::Kubelet& kubelet) {
    if (!set_gate(gate, kubelet.version, kubelet.gates, catalogue)) return;
    out = std::min(out.value_or(kubelet.version), kubelet.version);
  };
  for (Plan::Pool& pool : plan.pools) set_at(pool.kubelet);
  for (Plan::Step& step : plan.steps) {
    for (Plan::Action& action : step.actions) {
      if (auto* pool = std::get_if<Plan::ChangePool>(&action)) set_at(pool->to);
    }
  }
  return out;
}

// A restriction must lose its gate, a grant must get it.
std::set<WantedGate> gates_of(const std::string& id, const Catalogue& catalogue) {
  std::set<WantedGate> out;
  const auto rule = catalogue.find(id);
  if (!rule) return out;
  const RuleEntry& entry = catalogue[*rule];
  for (const ReleaseRange& range : entry.in_force) {
    for (const auto* names : {&range.gates, &range.any_gate}) {
      for (const std::string& name : *names) {
        out.insert({name, entry.effect == Effect::grant, entry.layer == Layer::kubelet});
      }
    }
  }
  return out;
}

// `, until 1.34`: the first minor release that does not accept the value.
std::string how_long(const WantedGate& gate, const Version& from, const Catalogue& catalogue) {
  for (const Version& version : catalogue.turning_points()) {
    GateSettings none;
    if (version <= from || version.patch != 0 || set_gate(gate, version, none, catalogue)) continue;
    return ", until " + version.minor_text();
  }
  return {};
}

// The field by which a node may select its own objects.
std::string field_of(const Attributes& asked) {
  if (asked.verb != "list" && asked.verb != "watch") return {};
  if (!asked.api_group.empty()) return {};
  if (asked.resource == "pods") return "spec.nodeName";
  return asked.resource == "nodes" ? "metadata.name" : "";
}

bool narrow(HttpRequest& request, const std::string& wanted) {
  const Attributes asked = attributes_of(request.method, request.target);
  const std::string field = field_of(asked);
  if (field.empty() || request_in_short(asked) != wanted) return false;
  if (request.target.find("fieldSelector=") != std::string::npos) return false;
  request.target = with_parameter(std::move(request.target), "fieldSelector=" + field + "%3D{node}");
  return true;
}

}  // namespace

std::vector<PlanChange> later_orders(const Plan& plan, std::size_t step, const TrialScope& scope) {
  std::vector<PlanChange> out;
  for (std::size_t after = step + 1; after < plan.steps.size(); ++after) {
    if (!matters(plan.steps[after], scope)) continue;
    Plan changed = plan;
    const auto begin = changed.steps.begin();
    // The other steps keep their times. The moved step begins when the one before it is done, and before the next one
    // begins.
    Plan::Time at = end_of(plan, plan.steps[after]);
    if (after + 1 < plan.steps.size()) at = std::min(at, plan.steps[after + 1].at);
    std::rotate(begin + static_cast<std::ptrdiff_t>(step), begin + static_cast<std::ptrdiff_t>(step) + 1,
                begin + static_cast<std::ptrdiff_t>(after) + 1);
    changed.steps[after].at = at;
    if (!keeps_to_policy(changed)) continue;
    out.push_back({step_name(plan, step) + " after " + step_name(plan, after), std::move(changed)});
  }
  return out;
}

std::vector<PlanChange> other_gates(const Plan& plan, std::size_t step, const std::string& rule,
                                    const Catalogue& catalogue) {
  std::vector<PlanChange> out;
  for (const WantedGate& gate : gates_of(rule, catalogue)) {
    Plan changed = plan;
    const std::optional<Version> oldest =
        gate.of_kubelets ? set_at_kubelets(gate, changed, catalogue) : set_at_servers(gate, step, changed, catalogue);
    if (!oldest) continue;
    const std::string where = gate.of_kubelets ? " at kubelets" : " from step " + std::to_string(step + 1) + " on";
    out.push_back(
        {"feature gate " + gate.name + (gate.on ? " on" : " off") + where + how_long(gate, *oldest, catalogue),
         std::move(changed), true});
  }
  return out;
}

std::vector<PlanChange> narrower_requests(const Plan& plan, const Simulation::Finding& finding) {
  std::vector<PlanChange> out;
  for (std::size_t i = 0; i < plan.agents.size(); ++i) {
    const Plan::Agent& agent = plan.agents[i];
    if (finding.who != "agent " + agent.name || agent.pools.empty() || !agent.user.empty()) continue;
    Plan changed = plan;
    std::string field;
    for (HttpRequest& request : changed.agents[i].requests) {
      if (narrow(request, finding.request)) field = field_of(attributes_of(request.method, request.target));
    }
    if (field.empty()) continue;
    out.push_back(
        {"fieldSelector=" + field + "=<node> in the request, at every release of the plan", std::move(changed), true});
  }
  return out;
}

}  // namespace nodebound::simulate
