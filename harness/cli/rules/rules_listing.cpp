#include "harness/cli/rules/rules_listing.h"

#include <algorithm>
#include <set>

#include "harness/cli/rules/rule_history.h"

namespace nodebound::cli {
namespace {

void append(std::string& when, const Version& version, Standing standing) {
  when += (when.empty() ? "" : ", ") + version.short_text();
  if (standing == Standing::behind_gate) when += " (gate)";
}

}  // namespace

RuleListing list_rules(const Catalogue& catalogue, RuleFilter filter) {
  RuleListing listing{std::move(filter), {}, {}};
  const RuleFilter& by = listing.filter;
  const std::optional<RuleSet> in_force = by.release ? std::optional(RuleSet(catalogue, *by.release)) : std::nullopt;
  RuleHistory history(catalogue);
  for (std::size_t i = 0; i < rule_count; ++i) {
    const Rule rule = static_cast<Rule>(i);
    if (by.exercised && std::find(by.exercised->begin(), by.exercised->end(), rule) == by.exercised->end()) continue;
    const bool holds = !in_force || in_force->in_force(rule);
    if (!by.since) {
      if (holds) listing.rules.push_back({rule, {}});
      continue;
    }
    ListedRule came{rule, {}};
    ListedRule went{rule, {}};
    for (const Turn& turn : history.turns(rule)) {
      if (turn.version < *by.since) continue;
      append(turn.after > turn.before ? came.when : went.when, turn.version, turn.after);
    }
    if (!came.when.empty() && holds) listing.rules.push_back(came);
    if (!went.when.empty()) listing.removed.push_back(went);
  }
  return listing;
}

std::vector<RuleUse> uses_of(Rule rule, const std::vector<Scenario>& scenarios) {
  std::vector<RuleUse> uses;
  for (const Scenario& scenario : scenarios) {
    RuleUse use{&scenario, {}, {}};
    for (const Step& step : scenario.steps) {
      if (!step.check) continue;
      const std::vector<Rule>& rules = step.check->rules;
      if (std::find(rules.begin(), rules.end(), rule) == rules.end()) continue;
      (step.check->allow ? use.permits : use.refuses).push_back(&step);
    }
    if (!use.permits.empty() || !use.refuses.empty()) uses.push_back(std::move(use));
  }
  return uses;
}

std::vector<Rule> rules_exercised(const std::vector<Scenario>& scenarios) {
  std::set<Rule> rules;
  for (const Scenario& scenario : scenarios) {
    for (const Step& step : scenario.steps) {
      if (step.check) rules.insert(step.check->rules.begin(), step.check->rules.end());
    }
  }
  return {rules.begin(), rules.end()};
}

GateListing list_gates(const Catalogue& catalogue, std::optional<Release> release) {
  GateListing listing{std::move(release), {}};
  const std::set<std::string, std::less<>> deciding = catalogue.deciding_gates();
  for (const GateEntry& gate : catalogue.gates()) {
    if (!deciding.contains(gate.name)) continue;
    if (!listing.release || listing.release->gates.contains(gate.name)) listing.gates.push_back(&gate);
  }
  return listing;
}

std::vector<std::string> rules_of_gate(const Catalogue& catalogue, const std::string& gate) {
  std::vector<std::string> rules;
  for (const RuleEntry& rule : catalogue.rules()) {
    const std::vector<std::string> gates = gates_of(rule);
    if (std::find(gates.begin(), gates.end(), gate) != gates.end()) rules.push_back(rule.id);
  }
  return rules;
}

}  // namespace nodebound::cli
