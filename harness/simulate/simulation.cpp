#include "harness/simulate/simulation.h"

#include <algorithm>

#include "harness/simulate/control_plane/reference_servers.h"
#include "harness/simulate/findings/change_request.h"
#include "harness/simulate/findings/node_lifecycle.h"
#include "harness/simulate/findings/not_simulated.h"
#include "harness/simulate/findings/refusal_findings.h"
#include "harness/simulate/findings/remedies.h"
#include "harness/simulate/plan/plan_size.h"
#include "harness/simulate/plan/step_in_short.h"
#include "harness/simulate/simulated_cluster.h"

namespace nodebound::simulate {
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

class SimulationRun {
 public:
  SimulationRun(const Plan& plan, PlannedServers& servers, SimulatedClock& clock, const Catalogue& catalogue,
                const SimulationProgress& progress)
      : plan_(plan),
        progress_(progress),
        length_(end_of_last_change(plan) + plan.settle),
        slice_(slice_of(length_)),
        cluster_(plan, servers, clock, catalogue),
        findings_(plan, cluster_.ledger(), cluster_.fleet(), cluster_.balancer(), catalogue),
        node_lifecycle_(cluster_.ledger(), cluster_.fleet(), cluster_.versions(), length_) {
    state_.steps = plan.steps.size();
    cluster_.ledger().set_slice(slice_);
    cluster_.on_progress([this](Plan::Time now) { tell_progress(now); });
  }

  Result<Simulation> run() {
    if (Result<void> begun = cluster_.begin(); !begun) return tl::unexpected<Error>(begun.error());
    std::vector<Simulation::Step> steps;
    for (std::size_t i = 0; i <= plan_.steps.size(); ++i) {
      Result<Simulation::Step> step = carry_out(i);
      if (!step) return tl::unexpected<Error>(step.error());
      steps.push_back(std::move(*step));
    }
    for (Simulation::Step& step : steps) see_how_it_ended(step);
    return report(std::move(steps));
  }

 private:
  void tell_progress(Plan::Time now) {
    if (!progress_) return;
    state_.part = static_cast<double>(std::max(now, Plan::Time(0)).count()) / static_cast<double>(length_.count());
    progress_(state_);
  }

  // Number 0 is the beginning.
  Result<Simulation::Step> carry_out(std::size_t number) {
    Simulation::Step step = number == 0 ? Simulation::Step{} : described(number - 1);
    step.number = number;
    if (number == 0) {
      step.what = "begin";
    } else {
      state_.step = number;
      state_.what = step.what;
      cluster_.ledger().next_step();
      const Result<void> done = cluster_.carry_out(plan_.steps[number - 1]);
      if (!done) return tl::unexpected<Error>(done.error());
    }
    const bool last = number == plan_.steps.size();
    step.until = last ? length_ : plan_.steps[number].at;
    // An event exactly at the end would start another slice.
    const Result<void> done = cluster_.run_until(last ? step.until - Plan::Time(1) : step.until);
    if (!done) return tl::unexpected<Error>(done.error());
    step.health = cluster_.end_step(number);
    step.findings = findings_.after(number);
    return step;
  }

  [[nodiscard]] Simulation::Step described(std::size_t index) const {
    Simulation::Step step;
    step.what = step_in_short(plan_, index);
    step.where = plan_.steps[index].where;
    step.checks = checks_before(plan_, index);
    step.rollback = rollback_of(plan_, index);
    step.at = plan_.steps[index].at;
    return step;
  }

  // Duration and healing are known only at the end, but the number of affected pods is that of the beginning.
  void see_how_it_ended(Simulation::Step& step) const {
    std::vector<Simulation::Finding> at_end = findings_.after(step.number);
    for (std::size_t i = 0; i < step.findings.size(); ++i) at_end[i].pods = step.findings[i].pods;
    for (Simulation::Finding& finding : at_end) {
      finding.healed_by_plan = finding.healed && *finding.healed >= step.until;
      finding.follows = node_lifecycle_.what_follows(step.number, finding);
    }
    step.findings = std::move(at_end);
    step.losses = cluster_.losses().of(step.number);
    for (Simulation::Loss& loss : step.losses) loss.healed_by_plan = loss.healed && *loss.healed >= step.until;
  }

  [[nodiscard]] Simulation report(std::vector<Simulation::Step> steps) const {
    Simulation out;
    out.title = plan_.title;
    out.file = plan_.file;
    out.seed = plan_.seed;
    out.length = length_;
    out.slice = slice_;
    out.steps = std::move(steps);
    out.not_simulated = what_is_not_simulated(plan_);
    if (const auto note = cluster_.fleet().how_many()) out.notes.push_back(*note);
    out.versions = cluster_.versions().changes();
    out.not_ready = not_ready_until(length_, cluster_.fleet().nodes());
    for (const auto& [slice, count] : cluster_.ledger().slices()) {
      out.refusals.push_back({slice_ * static_cast<std::int64_t>(slice.first), slice.second, count});
    }
    out.run.requests = cluster_.ledger().requests();
    return out;
  }

  const Plan& plan_;
  const SimulationProgress& progress_;
  Simulation::Time length_;
  Simulation::Time slice_;
  SimulatedCluster cluster_;
  RefusalFindings findings_;
  NodeLifecycle node_lifecycle_;
  SimulationState state_;
};

}  // namespace

Result<Simulation> simulate(const Plan& plan, PlannedServers& servers, SimulatedClock& clock,
                            const Catalogue& catalogue, const SimulationProgress& progress) {
  if (Result<void> sized = check_size(plan); !sized) return tl::unexpected<Error>(sized.error());
  return SimulationRun(plan, servers, clock, catalogue, progress).run();
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
  const auto simulate_trial = [&](const Plan& trial) { return simulate_without_remedies(trial, catalogue); };
  add_remedies(plan, catalogue, simulate_trial, *out, [&](std::size_t tried, const std::string& next) {
    state.trials = tried;
    state.what = next;
    if (progress) progress(state);
  });
  return out;
}

}  // namespace nodebound::simulate
