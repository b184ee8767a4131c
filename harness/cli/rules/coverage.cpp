#include "harness/cli/rules/coverage.h"

#include "harness/scenario/by_release.h"

namespace nodebound::cli {

std::vector<RuleCoverage> coverage_of(const std::vector<Scenario>& scenarios, const RuleSet& rules) {
  std::vector<RuleCoverage> all(rule_count);
  for (const Scenario& scenario : scenarios) {
    if (!scenario.holds.contains(rules.release().version)) continue;
    for (const Step& step : at_version(scenario, rules.release().version).steps) {
      if (!step.check) continue;
      std::vector<Rule> exercised = step.check->rules;
      for (const auto& [way, rule] : step.check->way_rules) exercised.push_back(rule);
      for (const Rule rule : exercised) {
        RuleCoverage& entry = all[static_cast<std::size_t>(rule)];
        ++(step.check->allow ? entry.permits : entry.refuses);
      }
    }
  }
  std::vector<RuleCoverage> out;
  for (std::size_t i = 0; i < rule_count; ++i) {
    all[i].rule = static_cast<Rule>(i);
    const RuleEntry& entry = rules.catalogue()[all[i].rule];
    const bool reachable = entry.unreachable.empty() && entry.layer != Layer::kubelet;
    if (reachable && rules.in_force(all[i].rule)) out.push_back(all[i]);
  }
  return out;
}

}  // namespace nodebound::cli
