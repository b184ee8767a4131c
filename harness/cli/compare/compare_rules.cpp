#include "harness/cli/compare/compare_rules.h"

#include "harness/cli/rules/rule_history.h"

namespace nodebound::cli {
namespace {

std::string setting(const RuleSet& rules, const std::string& gate) {
  const auto found = rules.release().gates.find(gate);
  return found == rules.release().gates.end() ? "absent" : found->second ? "on" : "off";
}

std::vector<std::string> gates_that_differ(const RuleEntry& rule, const RuleSet& a, const RuleSet& b) {
  std::vector<std::string> differ;
  for (const std::string& gate : gates_of(rule)) {
    const std::string before = setting(a, gate);
    const std::string after = setting(b, gate);
    if (before == after) continue;
    std::string& line = differ.emplace_back("feature gate ");
    line.append(gate).append(": ").append(before).append(" in A, ").append(after).append(" in B");
  }
  return differ;
}

// Who meets the rule first.
std::string whom_it_hits(const RuleEntry& rule) {
  if (rule.layer == Layer::kubelet) return "kubelet";
  if (rule.plugin.starts_with("Certificate")) return "certificate";
  if (rule.layer == Layer::validation || rule.plugin == "ServiceAccount") return "pod";
  return rule.layer == Layer::authorizer && rule.authorizer == "rbac" ? "role" : "node";
}

RuleChange change_of(Rule rule, const RuleSet& a, const RuleSet& b) {
  const RuleEntry& entry = a.catalogue()[rule];
  RuleChange change;
  change.id = entry.id;
  change.statement = entry.statement;
  change.effect = to_string(entry.effect);
  change.hits = whom_it_hits(entry);
  change.in_force = history_of(entry);
  change.why = gates_that_differ(entry, a, b);
  return change;
}

}  // namespace

void add_rule_changes(Comparison& comparison, const RuleSet& a, const RuleSet& b) {
  for (std::size_t i = 0; i < rule_count; ++i) {
    const Rule rule = static_cast<Rule>(i);
    if (a.in_force(rule) != b.in_force(rule)) {
      (b.in_force(rule) ? comparison.rules_in : comparison.rules_out).push_back(change_of(rule, a, b));
    } else if (a.in_force(rule) && a.refusal(rule).pattern() != b.refusal(rule).pattern()) {
      RuleChange change = change_of(rule, a, b);
      change.text_a = a.refusal(rule).pattern();
      change.text_b = b.refusal(rule).pattern();
      comparison.rules_reworded.push_back(std::move(change));
    }
  }
  for (ComparedRequest& request : comparison.changed) {
    for (const std::string& id : request.rules) {
      const std::optional<Rule> rule = a.catalogue().find(id);
      if (!rule || a.in_force(*rule) == b.in_force(*rule)) continue;
      request.rule = id;
      break;
    }
  }
}

}  // namespace nodebound::cli
