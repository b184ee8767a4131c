#include <cmath>
#include <nlohmann/json.hpp>

#include "reports/findings/finding_parts.h"
#include "reports/json_object.h"
#include "reports/simulation/simulation_writers.h"

namespace nodebound {
namespace {

using Json = nlohmann::ordered_json;

Json plan_run(const Simulation::Run& run) {
  Json out = {{"started", run.started}, {"host", run.host}, {"tool_version", run.tool_version}};
  if (std::isfinite(run.seconds)) out["seconds"] = run.seconds;
  out["requests"] = run.requests;
  return out;
}

Json plan_summary(const Simulation& simulation) {
  const FindingCount count = findings_of_plan(simulation);
  Json breaking = Json::array();
  for (const std::size_t index : breaking_steps(simulation)) breaking.push_back(simulation.steps[index].number);
  return {{"breaks", breaks_something(simulation)},
          {"begins_broken", begins_broken(simulation)},
          {"steps", steps_of_plan(simulation)},
          {"breaking_steps", std::move(breaking)},
          {"findings", count.all},
          {"findings_for_good", count.for_good},
          {"accepted", accepted_in(simulation)}};
}

Json finding_object(const Simulation::Finding& finding) {
  Json out;
  out["who"] = finding.who;
  out["request"] = finding.request;
  put_unless_empty(out, "example", finding.example);
  out["status"] = finding.status;
  put_unless_empty(out, "reason", finding.reason);
  for (const Simulation::Finding::OtherReason& other : finding.other_reasons) {
    out["other_reasons"].push_back({{"servers", other.servers}, {"reason", other.reason}});
  }
  put_unless_empty(out, "rule", finding.rule);
  put_unless_empty(out, "statement", finding.statement);
  for (const Simulation::Finding::Source& source : finding.sources) {
    Json object = {{"name", source.name}};
    put_unless_empty(object, "url", source.url);
    out["sources"].push_back(std::move(object));
  }
  if (!finding.refused_by.empty()) out["refused_by"] = finding.refused_by;
  if (!finding.allowed_by.empty()) out["allowed_by"] = finding.allowed_by;
  if (finding.by_all) out["by_all_ms"] = finding.by_all->count();
  if (!finding.kubelets.empty()) out["kubelets"] = finding.kubelets;
  out["nodes"] = finding.nodes;
  out["pods"] = finding.pods;
  out["count"] = finding.count;
  out["first_ms"] = finding.first.count();
  out["last_ms"] = finding.last.count();
  if (finding.healed) out["healed_ms"] = finding.healed->count();
  if (finding.healed) out["healed_by_plan"] = finding.healed_by_plan;
  put_unless_empty(out, "follows", finding.follows);
  put_unless_empty(out, "since", finding.since);
  if (!finding.put_off_by.empty()) out["put_off_by"] = finding.put_off_by;
  out["avoided_by"] = finding.avoided_by;
  put_unless_empty(out, "advice", finding.advice);
  put_unless_empty(out, "check", finding.check);
  put_unless_empty(out, "accepted", finding.accepted);
  return out;
}

Json loss_object(const Simulation::Loss& loss) {
  static constexpr const char* names[] = {"nodes_not_ready", "pods_waiting", "pods_lost"};
  Json out;
  out["what"] = names[static_cast<std::size_t>(loss.what)];
  out["who"] = loss.who;
  out["count"] = loss.count;
  out["of"] = loss.of;
  out["pods"] = loss.pods;
  out["cause"] = loss.cause;
  out["first_ms"] = loss.first.count();
  if (loss.healed) out["healed_ms"] = loss.healed->count();
  if (loss.healed) out["healed_by_plan"] = loss.healed_by_plan;
  out["avoided_by"] = loss.avoided_by;
  put_unless_empty(out, "advice", loss.advice);
  put_unless_empty(out, "accepted", loss.accepted);
  return out;
}

Json health_object(const Simulation::Health& health) {
  return {{"nodes", health.nodes},
          {"nodes_not_ready", health.nodes_not_ready},
          {"pods", health.pods},
          {"pods_waiting", health.pods_waiting},
          {"pods_lost", health.pods_lost}};
}

Json step_object(const Simulation& simulation, std::size_t index) {
  const Simulation::Step& step = simulation.steps[index];
  Json out;
  out["number"] = step.number;
  put_unless_empty(out, "where", step.where);
  out["what"] = step.what;
  out["at_ms"] = step.at.count();
  put_unless_empty(out, "at", date_text(simulation, step.at));
  out["until_ms"] = step.until.count();
  out["breaks"] = breaks_something(simulation, index);
  out["findings"] = Json::array();
  for (const auto& finding : step.findings) out["findings"].push_back(finding_object(finding));
  out["losses"] = Json::array();
  for (const auto& loss : step.losses) out["losses"].push_back(loss_object(loss));
  out["health"] = health_object(step.health);
  if (!step.checks.empty()) out["checks"] = step.checks;
  if (!step.rollback.empty()) out["rollback"] = step.rollback;
  return out;
}

}  // namespace

std::string to_json(const Simulation& simulation) {
  Json out;
  out["schema"] = simulation_schema;
  out["run"] = plan_run(simulation.run);
  out["title"] = simulation.title;
  out["file"] = simulation.file;
  out["target"] = simulation.target;
  out["seed"] = simulation.seed;
  put_unless_empty(out, "start", date_text(simulation, Simulation::Time(0)));
  out["length_ms"] = simulation.length.count();
  out["slice_ms"] = simulation.slice.count();
  out["summary"] = plan_summary(simulation);
  out["steps"] = Json::array();
  for (std::size_t i = 0; i < simulation.steps.size(); ++i) out["steps"].push_back(step_object(simulation, i));
  out["findings"] = Json::array();
  for (const Finding& finding : findings_of(simulation)) out["findings"].push_back(finding_json(finding));
  out["versions"] = Json::array();
  for (const Simulation::VersionChange& change : simulation.versions) {
    Json object;
    put_unless_empty(object, "pool", change.pool);
    object["at_ms"] = change.at.count();
    object["version"] = change.version;
    object["members"] = change.members;
    out["versions"].push_back(std::move(object));
  }
  out["refusals"] = Json::array();
  for (const Simulation::Slice& slice : simulation.refusals) {
    out["refusals"].push_back({{"at_ms", slice.at.count()}, {"rule", slice.rule}, {"count", slice.count}});
  }
  out["not_ready"] = Json::array();
  for (const Simulation::NotReady& change : simulation.not_ready) {
    out["not_ready"].push_back({{"at_ms", change.at.count()}, {"nodes", change.nodes}});
  }
  out["notes"] = simulation.notes;
  out["not_simulated"] = simulation.not_simulated;
  return json_text(out);
}

}  // namespace nodebound
