#include "harness/simulate/findings/remedies.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "harness/simulate/findings/advice.h"
#include "harness/simulate/findings/plan_changes.h"
#include "harness/simulate/findings/trial_plan.h"

namespace nodebound::simulate {
namespace {

constexpr std::size_t most_trials = 60;
constexpr std::size_t most_tried_of_a_kind = 3;  ///< clients that are refused by the same rule

// Identifies findings and losses without their step, because a changed plan moves them to other steps.
using Complaint = std::tuple<std::string, std::string, std::string>;

Complaint complaint_of(const Simulation::Finding& finding) {
  return {finding.who, finding.request, finding.rule.empty() ? std::to_string(finding.status) : finding.rule};
}

// The cause is left out: the same loss with another cause is no remedy.
Complaint complaint_of(const Simulation::Loss& loss) {
  return {loss.who, "is lost", std::to_string(static_cast<int>(loss.what))};
}

// In how many steps each is new, counting the beginning: a change that merely moves a refusal before the first step is
// no remedy.
using Complaints = std::map<Complaint, std::size_t>;

Complaints complaints_of(const Simulation& simulation) {
  Complaints out;
  for (const Simulation::Step& step : simulation.steps) {
    std::set<Complaint> lost;
    for (const Simulation::Finding& finding : step.findings) ++out[complaint_of(finding)];
    for (const Simulation::Loss& loss : step.losses) lost.insert(complaint_of(loss));
    for (const Complaint& complaint : lost) ++out[complaint];
  }
  return out;
}

std::size_t count_of(const Complaint& complaint, const Complaints& in) {
  const auto found = in.find(complaint);
  return found == in.end() ? 0 : found->second;
}

bool has_new(const Complaints& before, const Complaints& after) {
  return std::any_of(after.begin(), after.end(),
                     [&](const auto& one) { return one.second > count_of(one.first, before); });
}

// Findings or losses of one step that the same changes may fix.
struct Kind {
  std::size_t step = 0;                        ///< index in the simulation
  std::string rule;                            ///< or the status, or the cause of a loss
  std::string request;                         ///< of findings; empty for losses
  std::vector<Simulation::Finding*> findings;  ///< pointers into the simulation
  std::vector<Simulation::Loss*> losses;

  [[nodiscard]] bool is_avoided() const {
    const auto avoided = [](const auto* one) { return !one->avoided_by.empty(); };
    return std::all_of(findings.begin(), findings.end(), avoided) && std::all_of(losses.begin(), losses.end(), avoided);
  }
};

std::vector<Kind> kinds_of(Simulation& simulation) {
  std::map<std::tuple<std::size_t, std::string, std::string>, Kind> out;
  const auto kind_at = [&](std::size_t step, const std::string& rule, const std::string& request) -> Kind& {
    Kind& kind = out[{step, rule, request}];
    kind.step = step;
    kind.rule = rule;
    kind.request = request;
    return kind;
  };
  for (std::size_t i = 0; i < simulation.steps.size(); ++i) {
    Simulation::Step& step = simulation.steps[i];
    if (step.number == 0) continue;
    for (Simulation::Finding& finding : step.findings) {
      kind_at(i, std::get<2>(complaint_of(finding)), finding.request).findings.push_back(&finding);
    }
    for (Simulation::Loss& loss : step.losses) kind_at(i, loss.kind, "").losses.push_back(&loss);
  }
  std::vector<Kind> kinds;
  for (auto& [key, kind] : out) kinds.push_back(std::move(kind));
  return kinds;
}

class Trials {
 public:
  Trials(const Plan& plan, const Catalogue& catalogue, const SimulateTrial& simulate, Simulation& simulation,
         const TrialProgress& progress)
      : plan_(plan), catalogue_(catalogue), simulate_(simulate), simulation_(simulation), progress_(progress) {
    const auto costs = [](const Simulation::Step& step) { return !step.losses.empty(); };
    has_losses_ = std::any_of(simulation.steps.begin(), simulation.steps.end(), costs);
  }

  void run() {
    for (const Kind& kind : kinds_of(simulation_)) {
      if (!kind.is_avoided()) mend(kind);
    }
  }

 private:
  void mend(const Kind& kind) {
    const TrialScope scope = scope_of(kind);
    const std::size_t step = simulation_.steps[kind.step].number - 1;
    const std::optional<Complaints> before =
        tried("the plan as it is, with those alone that are touched", plan_, scope);
    if (!before) return;
    std::vector<PlanChange> changes = narrower(kind);
    for (PlanChange& change : later_orders(plan_, step, scope)) changes.push_back(std::move(change));
    for (PlanChange& change : other_gates(plan_, step, kind.rule, catalogue_)) changes.push_back(std::move(change));
    for (const PlanChange& change : changes) {
      // One change that fixes it suffices, and better ones are tried first.
      if (kind.is_avoided()) return;
      const std::optional<Complaints> after = tried(change.what, change.plan, scope);
      if (!after || has_new(*before, *after) || !mends(kind, *before, *after)) continue;
      offer(change, kind);
    }
  }

  // A change that fixes the tried clients is then tried for all.
  void offer(const PlanChange& change, const Kind& kind) {
    TrialScope all = TrialScope::all_of(plan_);
    all.losses = has_losses_;
    if (!whole_) whole_ = tried("the whole plan as it is", plan_, all);
    const std::optional<Complaints> after = tried(change.what, change.plan, all);
    if (!whole_ || !after || has_new(*whole_, *after)) return;
    const auto is_less = [&](const Complaint& complaint) {
      return count_of(complaint, *after) < count_of(complaint, *whole_);
    };
    const auto add = [&](auto& one) {
      if (is_less(complaint_of(one)) && one.avoided_by.empty()) one.avoided_by.push_back(change.what);
    };
    for (Simulation::Finding* finding : kind.findings) add(*finding);
    for (Simulation::Loss* loss : kind.losses) add(*loss);
    if (!change.of_all_steps) return;
    for (std::size_t i = kind.step + 1; i < simulation_.steps.size(); ++i) {
      for (Simulation::Finding& finding : simulation_.steps[i].findings) {
        if (count_of(complaint_of(finding), *after) == 0) add(finding);
      }
    }
  }

  // Narrows the requests of all affected agents at once, because they share the same mistake.
  [[nodiscard]] std::vector<PlanChange> narrower(const Kind& kind) const {
    std::vector<PlanChange> out;
    for (const Simulation::Finding* finding : kind.findings) {
      const Plan& so_far = out.empty() ? plan_ : out.back().plan;
      std::vector<PlanChange> next = narrower_requests(so_far, *finding);
      if (!next.empty()) out = std::move(next);
    }
    return out;
  }

  [[nodiscard]] TrialScope scope_of(const Kind& kind) const {
    TrialScope out;
    for (std::size_t i = 0; i < std::min(kind.findings.size(), most_tried_of_a_kind); ++i) {
      out.add(plan_, kind.findings[i]->who);
    }
    for (std::size_t i = 0; i < std::min(kind.losses.size(), most_tried_of_a_kind); ++i) {
      out.add(plan_, kind.losses[i]->who);
    }
    out.losses = !kind.losses.empty();
    return out;
  }

  static bool mends(const Kind& kind, const Complaints& before, const Complaints& after) {
    const auto less = [&](const auto* one) {
      const Complaint complaint = complaint_of(*one);
      return count_of(complaint, after) < count_of(complaint, before);
    };
    return std::any_of(kind.findings.begin(), kind.findings.end(), less) ||
           std::any_of(kind.losses.begin(), kind.losses.end(), less);
  }

  // `what` identifies the change, so that a change that several findings suggest is tried once.
  std::optional<Complaints> tried(const std::string& what, const Plan& plan, const TrialScope& scope) {
    const std::pair key(what, scope);
    if (const auto known = tried_.find(key); known != tried_.end()) return known->second;
    if (tried_.size() >= most_trials) return std::nullopt;
    if (progress_) progress_(tried_.size(), what);
    const Result<Simulation> done = simulate_(trial_of(plan, scope));
    return tried_.emplace(key, done ? std::optional(complaints_of(*done)) : std::nullopt).first->second;
  }

  const Plan& plan_;
  const Catalogue& catalogue_;
  const SimulateTrial& simulate_;
  Simulation& simulation_;
  const TrialProgress& progress_;
  std::map<std::pair<std::string, TrialScope>, std::optional<Complaints>> tried_;
  bool has_losses_ = false;
  std::optional<Complaints> whole_;
};

}  // namespace

void add_advice(Simulation& simulation) {
  for (Simulation::Step& step : simulation.steps) {
    for (Simulation::Finding& finding : step.findings) finding.advice = advice_for(finding);
    for (Simulation::Loss& loss : step.losses) loss.advice = advice_for(loss.kind);
  }
}

void add_remedies(const Plan& plan, const Catalogue& catalogue, const SimulateTrial& simulate, Simulation& simulation,
                  const TrialProgress& progress) {
  Trials(plan, catalogue, simulate, simulation, progress).run();
}

}  // namespace nodebound::simulate
