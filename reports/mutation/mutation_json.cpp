#include <nlohmann/json.hpp>

#include "reports/json_object.h"
#include "reports/mutation/mutation_writers.h"

namespace nodebound {
namespace {

using Json = nlohmann::ordered_json;
using Outcome = MutantResult::Outcome;

Json counts(const MutationReport& report, const std::string& release) {
  Json section;
  for (const Outcome outcome : {Outcome::killed, Outcome::survived, Outcome::equivalent}) {
    section[std::string(to_string(outcome))] = report.count(outcome, release);
  }
  section["score"] = report.score(release);
  return section;
}

Json mutant_object(const MutantResult& mutant) {
  Json object;
  object["id"] = mutant.id;
  object["part"] = mutant.part;
  object["fault"] = mutant.meaning;
  object["release"] = mutant.release;
  object["outcome"] = to_string(mutant.outcome);
  put_unless_empty(object, "setting", mutant.setting);
  put_unless_empty(object, "check", mutant.killer);
  if (!mutant.killers.empty()) object["scenarios"] = mutant.killers;
  put_unless_empty(object, "worded", mutant.noticed);
  put_unless_empty(object, "unclear", mutant.unclear);
  put_unless_empty(object, "proof", mutant.proof);
  return object;
}

Json scenario_object(const ScenarioUse& scenario) {
  Json object;
  object["id"] = scenario.id;
  put_unless_empty(object, "kills", scenario.kills);
  put_unless_empty(object, "stays", scenario.stays);
  return object;
}

}  // namespace

std::string to_json(const MutationReport& report) {
  Json document;
  document["schema"] = mutation_schema;
  document["summary"] = counts(report, {});
  document["summary"]["exit_code"] = exit_code(report);
  document["releases"] = Json::array();
  for (const std::string& release : report.releases) {
    Json section = counts(report, release);
    section["release"] = release;
    document["releases"].push_back(std::move(section));
  }
  document["mutants"] = Json::array();
  for (const MutantResult& mutant : report.mutants) document["mutants"].push_back(mutant_object(mutant));
  document["scenarios"] = Json::array();
  for (const ScenarioUse& scenario : report.scenarios) document["scenarios"].push_back(scenario_object(scenario));
  if (!report.checks.empty()) {
    document["checks"]["number"] = report.checks.size();
    document["checks"]["idle"] = Json::array();
    for (const auto& [id, check] : report.idle_checks()) {
      Json object = {{"id", id}};
      put_unless_empty(object, "stays", check.stays);
      document["checks"]["idle"].push_back(std::move(object));
    }
  }
  document["mistakes"] = report.mistakes;
  return json_text(document);
}

}  // namespace nodebound
