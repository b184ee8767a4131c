#include "reports/run/check_groups.h"

#include <algorithm>
#include <map>

#include "reports/text.h"

namespace nodebound {

std::vector<CheckGroup> grouped_checks(const Report& report, const CheckFilter& belongs, const CheckKey& key) {
  std::vector<CheckGroup> groups;
  std::map<std::string, std::size_t> index;
  for (const CheckResult& check : report.checks) {
    if (!belongs(check)) continue;
    std::string name = key(check);
    const auto [found, is_new] = index.try_emplace(name, groups.size());
    if (is_new) groups.push_back({std::move(name), {}});
    groups[found->second].checks.push_back(&check);
  }
  return groups;
}

std::vector<CheckGroup> grouped_checks(const Report& report, Verdict verdict, const CheckKey& key) {
  return grouped_checks(
      report, [verdict](const CheckResult& check) { return check.verdict == verdict; }, key);
}

void sort_by_size(std::vector<CheckGroup>& groups) {
  std::ranges::stable_sort(groups, std::ranges::greater{}, [](const CheckGroup& group) { return group.checks.size(); });
}

std::vector<std::size_t> fair_shares(const std::vector<CheckGroup>& groups, std::size_t most) {
  std::vector<std::size_t> shown(groups.size(), 0);
  std::size_t left = most;
  for (bool gave = true; gave;) {
    gave = false;
    for (std::size_t i = 0; i < groups.size() && left > 0; ++i) {
      if (shown[i] == groups[i].checks.size()) continue;
      ++shown[i];
      --left;
      gave = true;
    }
  }
  return shown;
}

std::string deciding_rule(const CheckResult& check) {
  return check.rules.empty() ? "no rule named" : check.rules.front();
}

std::string reason_of_verdict(const CheckResult& check) {
  return check.why.empty() ? "no reason given" : check.why;
}

std::string verdict_line(const Report& report) {
  switch (exit_code(report)) {
    case 0:
      if (const std::size_t declared = report.count_declared(); declared > 0) {
        return "CONFORMS EXCEPT FOR WHAT IS DECLARED: " + counted(declared, "check") + " deviate" +
               (declared == 1 ? "s" : "");
      }
      return "CONFORMS";
    case 1:
      return "DOES NOT CONFORM: " + counted(report.count(Verdict::fail), "check") + " failed, " +
             counted(report.broken_rules().size(), "rule") + " broken";
    case 3:
      return "INCONCLUSIVE: " + counted(report.count(Verdict::inconclusive), "check") + " could not be judged";
    default:
      return report.checks.empty() ? "NOTHING RAN: no check was selected" : "NOTHING RAN: every check was skipped";
  }
}

}  // namespace nodebound
