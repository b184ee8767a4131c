#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "reports/simulation.h"

namespace nodebound {

/// What a step changes for the worse, against the step before it; the begin of a plan costs nothing.
struct StepCost {
  std::size_t nodes = 0;  ///< no longer ready
  std::size_t pods = 0;   ///< no longer run where they are bound
};

/// `index` is a position in `steps`.
StepCost cost_of(const Simulation& simulation, std::size_t index);
bool breaks_something(const Simulation& simulation, std::size_t index);

/// Positions of the steps that break something.
std::vector<std::size_t> breaking_steps(const Simulation& simulation);
/// Without the begin.
std::size_t steps_of_plan(const Simulation& simulation);

/// Findings of the plan's steps, without what was refused before it; of these, those that do not heal.
struct FindingCount {
  std::size_t all = 0;
  std::size_t for_good = 0;
};
FindingCount findings_of_plan(const Simulation& simulation);

/// `breaks 2 steps of 5`, `breaks nothing`.
std::string verdict_text(const Simulation& simulation);
std::string title_of(const Simulation& simulation);
/// `breaks`, `breaks nothing`, `refused before the plan begins`.
std::string heading_text(const Simulation& simulation, std::size_t index);

/// The rule's id, or the HTTP status where no rule is known.
std::string rule_of(const Simulation::Finding& finding);
/// `HTTP 403, rule node-read-own: A node lists …`
std::string refusal_text(const Simulation::Finding& finding);
/// `by the API servers of 1.32.0, not by those of 1.31.0; by all from +2h on`, or `by kubelets of
/// 1.30.0`; empty where API servers answered alike.
std::string servers_text(const Simulation::Finding& finding);
/// `12 nodes with 360 pods`
std::string touched_text(const Simulation::Finding& finding);
/// `48 requests from +1h to +2h`
std::string times_text(const Simulation::Finding& finding);
/// `by itself at +2h, after 55m`, `with a later step at +3h, after 2h`, `does not heal`
std::string healing_text(const Simulation::Finding& finding);

/// What is not well at the end of a step: a sentence for nodes, for pods, for each that lost pods.
std::vector<std::string> losses(const Simulation& simulation, std::size_t index);

}  // namespace nodebound
