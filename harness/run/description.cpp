#include "harness/run/description.h"

namespace nodebound {

std::size_t count_rules(const RuleSet& rules, bool of_kubelets) {
  std::size_t out = 0;
  for (std::size_t i = 0; i < rule_count; ++i) {
    const Rule rule = static_cast<Rule>(i);
    const bool is_kubelets = rules.catalogue()[rule].layer == Layer::kubelet;
    out += is_kubelets == of_kubelets && rules.in_force(rule) ? 1 : 0;
  }
  return out;
}

void describe_target(Report& report, const Endpoint& target, const RuleSet& rules) {
  report.target.name = target.name();
  report.target.version = target.observed().version;
  const Capabilities can = target.capabilities();
  report.target.is_authorizer = can.has(Capability::access_review) && !can.has(Capability::request);
  for (const auto& [gate, on] : target.observed().feature_gates) {
    if (rules.catalogue().find_gate(gate) != nullptr) report.target.feature_gates[gate] = on;
  }
  const Release& release = rules.release();
  report.release = {release.version.text(), release.changed_gates(), count_rules(rules)};
}

void describe_kubelet(Report& report, const std::string& kubelet, const RuleSet& rules) {
  const Release& release = rules.release();
  report.run.requests = report.checks.size();
  report.target.name = kubelet;
  report.target.version = release.version.text();
  report.release = {release.version.text(), release.changed_gates(), count_rules(rules, true)};
}

}  // namespace nodebound
