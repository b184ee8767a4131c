#include "reports/markdown.h"
#include "reports/mutation/mutation_writers.h"
#include "reports/text.h"

namespace nodebound {
namespace {

using Outcome = MutantResult::Outcome;

std::string part_table(const MutationReport& report) {
  std::string out = markdown_head({"part", "mutants", "killed", "survived", "equivalent"});
  for (const PartScore& part : parts_of(report)) {
    out += markdown_row({markdown_text(part.part), std::to_string(part.mutants), std::to_string(part.killed),
                         std::to_string(part.survived), std::to_string(part.equivalent)});
  }
  return out;
}

std::string release_table(const MutationReport& report) {
  std::string out = "\n" + markdown_head({"release", "killed", "survived", "equivalent", "score"});
  for (const std::string& release : report.releases) {
    out += markdown_row({markdown_text(release), std::to_string(report.count(Outcome::killed, release)),
                         std::to_string(report.count(Outcome::survived, release)),
                         std::to_string(report.count(Outcome::equivalent, release)), percent(report.score(release))});
  }
  return out;
}

std::string mutant_table(const MutationReport& report, Outcome outcome, const char* title) {
  const std::size_t number = report.count(outcome);
  if (number == 0) return {};
  const bool killed = outcome == Outcome::killed;
  std::string out = std::string("\n## ") + title + " (" + std::to_string(number) + ")\n\n" +
                    markdown_head({"mutant", "what it does wrong", "release", killed ? "first caught by" : "why"});
  for (const MutantResult& mutant : report.mutants) {
    if (mutant.outcome != outcome) continue;
    const std::string setting = mutant.setting.empty() ? "" : " " + mutant.setting;
    const std::string last = killed ? markdown_code(mutant.killer) : markdown_text(mutant.proof);
    out += markdown_row(
        {markdown_code(mutant.id), markdown_text(mutant.meaning), markdown_text(mutant.release + setting), last});
  }
  return out;
}

std::string scenario_table(const MutationReport& report) {
  if (report.scenarios.empty()) return {};
  std::string out = "\n## Scenarios (" + std::to_string(report.scenarios.size()) + ")\n\n" +
                    markdown_head({"scenario", "kills", "why it stays"});
  for (const ScenarioUse& scenario : report.scenarios) {
    out += markdown_row({markdown_code(scenario.id), scenario.kills.empty() ? "" : markdown_code(scenario.kills),
                         markdown_text(scenario.kills.empty() ? scenario.stays : "")});
  }
  return out;
}

std::string check_list(const MutationReport& report) {
  if (report.checks.empty()) return {};
  const std::map<std::string, CheckUse> idle = report.idle_checks();
  std::string out = "\n## Checks that no mutant makes fail (" + std::to_string(idle.size()) + " of " +
                    std::to_string(report.checks.size()) + ")\n\n";
  for (const auto& [id, check] : idle) {
    out += "* " + markdown_code(id) + (check.stays.empty() ? "" : ": " + markdown_text(check.stays)) + "\n";
  }
  return out;
}

}  // namespace

std::string to_markdown(const MutationReport& report) {
  std::string out = "# Mutants\n\n" + std::to_string(report.count(Outcome::killed)) + " killed, " +
                    std::to_string(report.count(Outcome::survived)) + " survived, " +
                    std::to_string(report.count(Outcome::equivalent)) + " equivalent: " + percent(report.score()) +
                    ".\n\n";
  out += part_table(report);
  out += release_table(report);
  for (const std::string& mistake : report.mistakes) out += "\n**" + markdown_text(mistake) + "**\n";
  out += mutant_table(report, Outcome::survived, "Survived");
  out += mutant_table(report, Outcome::equivalent, "Equivalent");
  out += mutant_table(report, Outcome::killed, "Killed");
  out += scenario_table(report);
  out += check_list(report);
  return out;
}

}  // namespace nodebound
