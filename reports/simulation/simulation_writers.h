#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "reports/simulation/simulation.h"

namespace nodebound {

/// The damage of a step compared with the step before it; the beginning of a plan does none.
struct StepCost {
  std::size_t nodes = 0;  ///< no longer ready
  std::size_t pods = 0;   ///< no longer running where they are bound
};

/// `index` is a position in `steps`.
StepCost cost_of(const Simulation& simulation, std::size_t index);
bool breaks_something(const Simulation& simulation, std::size_t index);

/// How many findings and losses somebody accepts.
std::size_t accepted_in(const Simulation::Step& step);
std::size_t accepted_in(const Simulation& simulation);

/// Positions of the steps that break something.
std::vector<std::size_t> breaking_steps(const Simulation& simulation);
/// Without the beginning.
std::size_t steps_of_plan(const Simulation& simulation);

/// Findings of the plan's steps, without earlier refusals; and how many of them do not heal.
struct FindingCount {
  std::size_t all = 0;
  std::size_t for_good = 0;
};
FindingCount findings_of_plan(const Simulation& simulation);

/// The largest losses at any time.
struct LossCount {
  std::size_t nodes = 0;  ///< not ready
  std::size_t of_nodes = 0;
  std::size_t pods = 0;  ///< that wait
  std::size_t of_pods = 0;
  std::size_t daemon_sets = 0;  ///< that lose pods in any step
};
LossCount losses_of_plan(const Simulation& simulation);

/// Findings of a step that differ only in who is refused, merged: `agents a, b and 18 more`. Counts are sums; nodes and
/// pods are those of the largest.
struct FindingGroup {
  Simulation::Finding finding;
  std::size_t members = 1;
};
std::vector<FindingGroup> grouped(const std::vector<Simulation::Finding>& findings);

/// Prints each piece of advice once; a later finding with the same advice refers to the first.
class AdviceOnce {
 public:
  std::string operator()(const std::string& advice, const std::string& who);

 private:
  std::map<std::string, std::string> told_;  ///< by advice, who received it first
};

/// `2026-12-01 10:30Z`; empty if the simulation does not know when it begins.
std::string date_text(const Simulation& simulation, Simulation::Time time);

/// `begins broken, and breaks 2 steps of 5`, `breaks nothing`, `breaks nothing but what is accepted`.
std::string verdict_text(const Simulation& simulation);
std::string title_of(const Simulation& simulation);
/// `breaks`, `breaks nothing`, `breaks nothing but what is accepted`, `before the plan begins`.
std::string heading_text(const Simulation& simulation, std::size_t index);

/// The rule's id, or the HTTP status if no rule is known.
std::string rule_of(const Simulation::Finding& finding);
/// `HTTP 403, rule node-read-own: A node lists …`
std::string refusal_text(const Simulation::Finding& finding);
/// `1.32 on; put off by --feature-gates=Name=false`; empty if neither is known.
std::string when_refused_text(const Simulation::Finding& finding);
/// `by the API servers of 1.32.0, not by those of 1.31.0; by all from +2h on`, or `by kubelets of 1.30.0`; empty if API
/// servers answered alike.
std::string servers_text(const Simulation::Finding& finding);
/// `12 nodes with 360 pods`
std::string touched_text(const Simulation::Finding& finding);
/// `48 requests from +1h to +2h`
std::string times_text(const Simulation::Finding& finding);
/// `by itself at +2h, after 55m`, `with a later step at +3h, after 2h`, `does not heal`
std::string healing_text(const Simulation::Finding& finding);

std::string healing_text(const Simulation::Loss& loss);
/// `40 of 40 nodes not ready, with 80 pods`
std::string loss_text(const Simulation::Loss& loss);

/// What is broken at the end of a step: a sentence for nodes, for pods, and for each DaemonSet that lost pods.
std::vector<std::string> losses(const Simulation& simulation, std::size_t index);

}  // namespace nodebound
