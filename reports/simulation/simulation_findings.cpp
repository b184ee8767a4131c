#include "reports/findings/finding_parts.h"
#include "reports/place.h"
#include "reports/simulation/simulation_writers.h"

namespace nodebound {
namespace {

std::string time_of_finding(const Simulation& simulation, Simulation::Time time) {
  const std::string date = date_text(simulation, time);
  return date.empty() ? to_text(time) : date;
}

std::string what_to_do(const std::vector<std::string>& avoided_by, const std::string& advice) {
  std::string out;
  for (const std::string& change : avoided_by) out += (out.empty() ? "Avoided by " : ", or by ") + change;
  if (!out.empty()) out += ".";
  return out + (out.empty() || advice.empty() ? "" : " ") + advice;
}

// What comes to an end by itself may not matter; what was there before the plan is none of its doing.
Finding::Level level_of_finding(const Simulation::Step& step, bool heals) {
  if (step.number == 0) return Finding::Level::note;
  return heals ? Finding::Level::warning : Finding::Level::error;
}

Finding::Place place_of_step(const Simulation::Step& step) {
  const SourcePlace place = source_place(step.where);
  return {place.file, place.line, step.number == 0 ? "before the plan" : "step " + std::to_string(step.number), ""};
}

Finding common_finding(const Simulation& simulation, const Simulation::Step& step, const Simulation::Finding& finding) {
  Finding out;
  out.level = level_of_finding(step, finding.healed.has_value());
  out.id = finding.rule.empty() ? "http-" + std::to_string(finding.status) : finding.rule;
  if (!finding.rule.empty()) out.rules = {finding.rule};
  out.statement = finding.statement;
  out.who = finding.who;
  out.what = (step.number == 0 ? "refused: " : "newly refused: ") + finding.request;
  out.place = place_of_step(step);
  out.since = finding.since;
  out.put_off_by = finding.put_off_by;
  out.advice = what_to_do(finding.avoided_by, finding.advice);
  out.count = finding.count;
  out.first = time_of_finding(simulation, finding.first);
  out.last = time_of_finding(simulation, finding.last);
  out.accepted = finding.accepted;
  return out;
}

Finding common_finding(const Simulation& simulation, const Simulation::Step& step, const Simulation::Loss& loss) {
  static constexpr const char* ids[] = {"nodes-not-ready", "pods-waiting", "pods-lost"};
  Finding out;
  out.level = level_of_finding(step, loss.healed.has_value());
  out.id = ids[static_cast<std::size_t>(loss.what)];
  out.statement = "What runs before a step must run after it.";
  out.who = loss.who;
  out.what = loss_text(loss) + (loss.cause.empty() ? "" : ": " + loss.cause);
  out.place = place_of_step(step);
  out.advice = what_to_do(loss.avoided_by, loss.advice);
  out.first = time_of_finding(simulation, loss.first);
  if (loss.healed) out.last = time_of_finding(simulation, *loss.healed);
  out.accepted = loss.accepted;
  return out;
}

}  // namespace

std::vector<Finding> findings_of(const Simulation& simulation) {
  std::vector<Finding> out;
  for (const Simulation::Step& step : simulation.steps) {
    for (const auto& finding : step.findings) out.push_back(common_finding(simulation, step, finding));
    for (const auto& loss : step.losses) out.push_back(common_finding(simulation, step, loss));
  }
  return out;
}

void accept_findings(Simulation& simulation, const std::function<std::string(const Finding&)>& reason_for) {
  for (Simulation::Step& step : simulation.steps) {
    for (auto& finding : step.findings) finding.accepted = reason_for(common_finding(simulation, step, finding));
    for (auto& loss : step.losses) loss.accepted = reason_for(common_finding(simulation, step, loss));
  }
}

std::string when_refused_text(const Simulation::Finding& finding) {
  if (finding.since.empty() && finding.put_off_by.empty()) return {};
  Finding out;
  out.since = finding.since;
  out.put_off_by = finding.put_off_by;
  return when_it_matters(out);
}

}  // namespace nodebound
