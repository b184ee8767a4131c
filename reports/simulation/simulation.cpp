#include "reports/simulation/simulation.h"

#include <algorithm>

#include "reports/simulation/simulation_writers.h"
#include "reports/text.h"

namespace nodebound {
namespace {

const Simulation::Health& health_before(const Simulation& simulation, std::size_t index) {
  static const Simulation::Health whole;
  return index == 0 ? whole : simulation.steps[index - 1].health;
}

std::size_t grown(std::size_t before, std::size_t after) {
  return after > before ? after - before : 0;
}

std::string joined_by_and(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : " and ") + name;
  return out;
}

// `3 of 12 nodes not ready, 1 of them before`
std::string state_text(std::size_t lost, std::size_t all, std::string_view noun, std::string_view what,
                       std::size_t before) {
  std::string text = std::to_string(lost) + " of " + counted(all, noun) + " " + std::string(what);
  if (before == lost) text += ", as before";
  if (before > 0 && before != lost) text += ", " + std::to_string(before) + " before";
  return text;
}

constexpr const char* breaks_what_is_accepted = "breaks nothing but what is accepted";

using Loss = Simulation::Loss;

// Of findings or losses.
template <typename Breakage>
bool any_open(const std::vector<Breakage>& all) {
  return std::ranges::any_of(all, [](const Breakage& one) { return one.accepted.empty(); });
}

// Whether so many of them count: they do unless somebody accepts all losses of the kind.
bool counts(const Simulation::Step& step, Loss::What what, std::size_t number) {
  std::size_t all = 0;
  std::size_t accepted = 0;
  for (const Loss& loss : step.losses) {
    if (loss.what != what) continue;
    ++all;
    if (!loss.accepted.empty()) ++accepted;
  }
  return number > 0 && (all == 0 || accepted < all);
}

}  // namespace

std::size_t accepted_in(const Simulation::Step& step) {
  const auto is_accepted = [](const auto& one) { return !one.accepted.empty(); };
  return static_cast<std::size_t>(std::ranges::count_if(step.findings, is_accepted) +
                                  std::ranges::count_if(step.losses, is_accepted));
}

std::size_t accepted_in(const Simulation& simulation) {
  std::size_t out = 0;
  for (const Simulation::Step& step : simulation.steps) out += accepted_in(step);
  return out;
}

StepCost cost_of(const Simulation& simulation, std::size_t index) {
  const Simulation::Step& step = simulation.steps[index];
  if (step.number == 0) return {};
  const Simulation::Health& before = health_before(simulation, index);
  return {grown(before.nodes_not_ready, step.health.nodes_not_ready),
          grown(before.pods_waiting, step.health.pods_waiting)};
}

bool breaks_something(const Simulation& simulation, std::size_t index) {
  const Simulation::Step& step = simulation.steps[index];
  if (step.number == 0) return false;
  const StepCost cost = cost_of(simulation, index);
  return any_open(step.findings) || any_open(step.losses) || counts(step, Loss::What::nodes_not_ready, cost.nodes) ||
         counts(step, Loss::What::pods_waiting, cost.pods) ||
         counts(step, Loss::What::pods_lost, step.health.pods_lost.size());
}

bool begins_broken(const Simulation& simulation) {
  if (simulation.steps.empty() || simulation.steps.front().number != 0) return false;
  const Simulation::Step& begin = simulation.steps.front();
  const Simulation::Health& health = begin.health;
  if (counts(begin, Loss::What::nodes_not_ready, health.nodes_not_ready) ||
      counts(begin, Loss::What::pods_waiting, health.pods_waiting) ||
      counts(begin, Loss::What::pods_lost, health.pods_lost.size())) {
    return true;
  }
  // Refusals of kubelets that do no harm (a watch of an attachment that does not exist yet) are not counted: kubelets
  // retry.
  return std::ranges::any_of(begin.findings, [&](const Simulation::Finding& finding) {
    return finding.accepted.empty() && finding.who.starts_with("agent ") &&
           (!finding.healed || *finding.healed >= begin.until);
  });
}

std::vector<std::size_t> breaking_steps(const Simulation& simulation) {
  std::vector<std::size_t> breaking;
  for (std::size_t i = 0; i < simulation.steps.size(); ++i) {
    if (breaks_something(simulation, i)) breaking.push_back(i);
  }
  return breaking;
}

bool breaks_something(const Simulation& simulation) {
  return !breaking_steps(simulation).empty();
}

std::size_t steps_of_plan(const Simulation& simulation) {
  return static_cast<std::size_t>(
      std::ranges::count_if(simulation.steps, [](const Simulation::Step& step) { return step.number != 0; }));
}

FindingCount findings_of_plan(const Simulation& simulation) {
  FindingCount count;
  for (const Simulation::Step& step : simulation.steps) {
    if (step.number == 0) continue;
    count.all += step.findings.size();
    count.for_good += static_cast<std::size_t>(
        std::ranges::count_if(step.findings, [](const Simulation::Finding& finding) { return !finding.healed; }));
  }
  return count;
}

std::string verdict_text(const Simulation& simulation) {
  const std::size_t steps = steps_of_plan(simulation);
  const std::size_t breaking = breaking_steps(simulation).size();
  const bool begins = begins_broken(simulation);
  if (begins && breaking == 0) return "begins broken";
  const std::string broken = begins ? "begins broken, and " : "";
  if (steps == 0) return "breaks nothing: the plan has no step";
  if (breaking == 0) return accepted_in(simulation) > 0 ? breaks_what_is_accepted : "breaks nothing";
  return broken + "breaks " + counted(breaking, "step") + " of " + std::to_string(steps);
}

LossCount losses_of_plan(const Simulation& simulation) {
  LossCount out;
  for (const Simulation::NotReady& change : simulation.not_ready) out.nodes = std::max(out.nodes, change.nodes);
  for (const Simulation::Step& step : simulation.steps) {
    out.nodes = std::max(out.nodes, step.health.nodes_not_ready);
    out.of_nodes = std::max(out.of_nodes, step.health.nodes);
    out.pods = std::max(out.pods, step.health.pods_waiting);
    out.of_pods = std::max(out.of_pods, step.health.pods);
    out.daemon_sets += step.health.pods_lost.size();
  }
  return out;
}

std::string title_of(const Simulation& simulation) {
  if (!simulation.title.empty()) return simulation.title;
  return simulation.file.empty() ? "A plan without a title" : simulation.file;
}

std::string heading_text(const Simulation& simulation, std::size_t index) {
  if (simulation.steps[index].number == 0) return "before the plan begins";
  if (breaks_something(simulation, index)) return "breaks";
  return accepted_in(simulation.steps[index]) > 0 ? breaks_what_is_accepted : "breaks nothing";
}

std::string length_text(Simulation::Time length) {
  const bool negative = length.count() < 0;
  // Unsigned, because the most negative number has no positive counterpart.
  const auto bits = static_cast<std::uint64_t>(length.count());
  std::uint64_t left = negative ? ~bits + 1 : bits;
  struct Unit {
    const char* name;
    std::uint64_t milliseconds;
  };
  static constexpr Unit units[] = {{"d", 86'400'000}, {"h", 3'600'000}, {"m", 60'000}, {"s", 1'000}, {"ms", 1}};
  std::string text;
  for (const Unit& unit : units) {
    if (left >= unit.milliseconds) text += std::to_string(left / unit.milliseconds) + unit.name;
    left %= unit.milliseconds;
  }
  return (negative ? "-" : "") + (text.empty() ? "0s" : text);
}

std::string to_text(Simulation::Time time) {
  return (time.count() < 0 ? "" : "+") + length_text(time);
}

std::string when_text(const Simulation& simulation, Simulation::Time time) {
  const std::string date = date_text(simulation, time);
  return to_text(time) + (date.empty() ? "" : ", " + date);
}

std::string date_text(const Simulation& simulation, Simulation::Time time) {
  if (!simulation.start) return {};
  const auto at = std::chrono::floor<std::chrono::minutes>(*simulation.start + time);
  const auto day = std::chrono::floor<std::chrono::days>(at);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(at - day);
  const auto two = [](auto number) { return (number < 10 ? "0" : "") + std::to_string(number); };
  return std::to_string(static_cast<int>(date.year())) + "-" + two(static_cast<unsigned>(date.month())) + "-" +
         two(static_cast<unsigned>(date.day())) + " " + two(clock.hours().count()) + ":" +
         two(clock.minutes().count()) + "Z";
}

std::string rule_of(const Simulation::Finding& finding) {
  return finding.rule.empty() ? "HTTP " + std::to_string(finding.status) : finding.rule;
}

std::string refusal_text(const Simulation::Finding& finding) {
  std::string text = "HTTP " + std::to_string(finding.status);
  text += finding.rule.empty() ? ", no rule is known" : ", rule " + finding.rule;
  return finding.statement.empty() ? text : text + ": " + finding.statement;
}

std::string servers_text(const Simulation::Finding& finding) {
  if (!finding.kubelets.empty()) return "by kubelets of " + joined_by_and(finding.kubelets);
  if (finding.refused_by.empty()) return {};
  const std::string since = finding.by_all ? "; by all from " + to_text(*finding.by_all) + " on" : "";
  return "by the API servers of " + joined_by_and(finding.refused_by) + ", not by those of " +
         joined_by_and(finding.allowed_by) + since;
}

std::string touched_text(const Simulation::Finding& finding) {
  return counted(finding.nodes, "node") + " with " + counted(finding.pods, "pod");
}

std::string times_text(const Simulation::Finding& finding) {
  const std::string requests = counted(finding.count, "request");
  if (finding.first == finding.last) return requests + " at " + to_text(finding.first);
  return requests + " from " + to_text(finding.first) + " to " + to_text(finding.last);
}

namespace {

std::string healing(Simulation::Time first, const std::optional<Simulation::Time>& healed, bool by_plan) {
  if (!healed) return "does not heal";
  const auto after = static_cast<std::uint64_t>(healed->count()) - static_cast<std::uint64_t>(first.count());
  return std::string(by_plan ? "with a later step" : "by itself") + " at " + to_text(*healed) + ", after " +
         length_text(Simulation::Time(static_cast<std::int64_t>(after)));
}

}  // namespace

std::string healing_text(const Simulation::Finding& finding) {
  return healing(finding.first, finding.healed, finding.healed_by_plan);
}

std::string healing_text(const Simulation::Loss& loss) {
  return healing(loss.first, loss.healed, loss.healed_by_plan);
}

std::string loss_text(const Simulation::Loss& loss) {
  const bool of_nodes = loss.what != Simulation::Loss::What::pods_waiting;
  const std::string of = std::to_string(loss.count) + " of " + counted(loss.of, of_nodes ? "node" : "pod");
  switch (loss.what) {
    case Simulation::Loss::What::nodes_not_ready:
      return of + " not ready" + (loss.pods == 0 ? "" : ", with " + counted(loss.pods, "pod"));
    case Simulation::Loss::What::pods_waiting:
      return of + " waiting on a node that does not run them";
    case Simulation::Loss::What::pods_lost:
      return "no pod any more on " + of;
  }
  return of;
}

std::vector<std::string> losses(const Simulation& simulation, std::size_t index) {
  const Simulation::Health& before = health_before(simulation, index);
  const Simulation::Health& health = simulation.steps[index].health;
  std::vector<std::string> lines;
  if (health.nodes_not_ready > 0) {
    lines.push_back(state_text(health.nodes_not_ready, health.nodes, "node", "not ready", before.nodes_not_ready));
  }
  if (health.pods_waiting > 0) {
    lines.push_back(state_text(health.pods_waiting, health.pods, "pod", "waiting on a node that does not run them",
                               before.pods_waiting));
  }
  for (const std::string& lost : health.pods_lost) lines.push_back("pods lost: " + lost);
  return lines;
}

}  // namespace nodebound
