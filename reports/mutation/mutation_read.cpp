#include <array>

#include "reports/json_object.h"
#include "reports/mutation/mutation_writers.h"

namespace nodebound {
namespace {

using Outcome = MutantResult::Outcome;
constexpr std::array outcomes = {Outcome::killed, Outcome::survived, Outcome::equivalent};

MutantResult read_mutant(JsonObject object) {
  MutantResult out;
  out.id = object.text("id");
  out.part = object.text("part");
  out.meaning = object.text("fault");
  out.release = object.text("release");
  out.outcome = object.one_of("outcome", outcomes);
  out.setting = object.optional_text("setting");
  out.killer = object.optional_text("check");
  if (object.optional("scenarios") != nullptr) out.killers = object.texts("scenarios");
  out.noticed = object.optional_text("worded");
  out.unclear = object.optional_text("unclear");
  out.proof = object.optional_text("proof");
  object.close();
  return out;
}

ScenarioUse read_scenario(JsonObject object) {
  ScenarioUse out{object.text("id"), object.optional_text("kills"), object.optional_text("stays")};
  object.close();
  return out;
}

void compare_counts(JsonObject& section, const MutationReport& report, const std::string& release) {
  for (const Outcome outcome : outcomes) {
    const std::string key(to_string(outcome));
    if (section.number(key) == report.count(outcome, release)) continue;
    section.problem().add(section.path(key), "is not what its mutants give");
  }
  // Computed from the counts.
  section.required("score");
}

}  // namespace

Result<MutationReport> mutation_report_from_json(std::string_view text, const std::string& where) {
  const nlohmann::json document = nlohmann::json::parse(text, nullptr, false);
  if (document.is_discarded()) return input_error(where, "is no JSON");
  JsonProblem problem{where, {}};
  JsonObject object(document, "", problem);
  if (object.text("schema") != mutation_schema) {
    problem.add("schema", std::string("is not \"") + mutation_schema + "\"");
  }
  MutationReport report;
  object.each("mutants", [&](const nlohmann::json& item, const std::string& path) {
    report.mutants.push_back(read_mutant({item, path, problem}));
  });
  object.each("scenarios", [&](const nlohmann::json& item, const std::string& path) {
    report.scenarios.push_back(read_scenario({item, path, problem}));
  });
  object.each("releases", [&](const nlohmann::json& item, const std::string& path) {
    JsonObject release(item, path, problem);
    report.releases.push_back(release.text("release"));
    compare_counts(release, report, report.releases.back());
    release.close();
  });
  report.mistakes = object.texts("mistakes");
  JsonObject summary = object.object("summary");
  compare_counts(summary, report, {});
  summary.number("exit_code");
  summary.close();
  object.close();
  if (problem.first) return tl::unexpected<Error>(*problem.first);
  return report;
}

}  // namespace nodebound
