#include "reports/mutation/mutation.h"

#include <algorithm>
#include <iterator>

namespace nodebound {

std::string_view to_string(MutantResult::Outcome outcome) {
  switch (outcome) {
    case MutantResult::Outcome::killed:
      return "killed";
    case MutantResult::Outcome::survived:
      return "survived";
    case MutantResult::Outcome::equivalent:
      return "equivalent";
  }
  return "";
}

std::map<std::string, CheckUse> MutationReport::idle_checks() const {
  std::map<std::string, CheckUse> idle = checks;
  std::erase_if(idle, [](const auto& check) { return check.second.fails; });
  return idle;
}

std::size_t MutationReport::count(MutantResult::Outcome outcome, const std::string& release) const {
  return static_cast<std::size_t>(std::count_if(mutants.begin(), mutants.end(), [&](const MutantResult& mutant) {
    return mutant.outcome == outcome && (release.empty() || mutant.release == release);
  }));
}

double MutationReport::score(const std::string& release) const {
  const std::size_t killed = count(MutantResult::Outcome::killed, release);
  const std::size_t all = killed + count(MutantResult::Outcome::survived, release);
  return all == 0 ? 100.0 : 100.0 * static_cast<double>(killed) / static_cast<double>(all);
}

void add_releases(MutationReport& report, MutationReport more) {
  std::move(more.releases.begin(), more.releases.end(), std::back_inserter(report.releases));
  std::move(more.mutants.begin(), more.mutants.end(), std::back_inserter(report.mutants));
  std::move(more.mistakes.begin(), more.mistakes.end(), std::back_inserter(report.mistakes));
  for (ScenarioUse& scenario : more.scenarios) {
    const auto known = std::find_if(report.scenarios.begin(), report.scenarios.end(),
                                    [&](const ScenarioUse& use) { return use.id == scenario.id; });
    if (known == report.scenarios.end()) {
      report.scenarios.push_back(std::move(scenario));
    } else if (known->kills.empty()) {
      known->kills = std::move(scenario.kills);
    }
  }
  for (const auto& [id, check] : more.checks) {
    CheckUse& known = report.checks[id];
    known.fails = known.fails || check.fails;
    known.stays = check.stays;
  }
}

int exit_code(const MutationReport& report) {
  if (report.mutants.empty()) return 4;
  const bool idle = std::any_of(report.scenarios.begin(), report.scenarios.end(), [](const ScenarioUse& scenario) {
    return scenario.kills.empty() && scenario.stays.empty();
  });
  return report.count(MutantResult::Outcome::survived) == 0 && report.mistakes.empty() && !idle ? 0 : 1;
}

}  // namespace nodebound
