#include "reports/mutation.h"

#include <algorithm>

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

int exit_code(const MutationReport& report) {
  if (report.mutants.empty()) return 4;
  const bool idle = std::any_of(report.scenarios.begin(), report.scenarios.end(), [](const ScenarioUse& scenario) {
    return scenario.kills.empty() && scenario.stays.empty();
  });
  return report.count(MutantResult::Outcome::survived) == 0 && report.mistakes.empty() && !idle ? 0 : 1;
}

}  // namespace nodebound
