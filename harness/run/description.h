#pragma once

#include <cstddef>

#include "harness/endpoint/endpoint.h"
#include "reference/release/rule_set.h"
#include "reports/run/report.h"

namespace nodebound {

/// The number of rules in force that API servers decide, or with `of_kubelets`, that kubelets decide.
std::size_t count_rules(const RuleSet& rules, bool of_kubelets = false);

/// Fills in what was observed of the target, and the release by which it is judged.
void describe_target(Report& report, const Endpoint& target, const RuleSet& rules);

/// The same of a kubelet that was judged by these rules.
void describe_kubelet(Report& report, const std::string& kubelet, const RuleSet& rules);

}  // namespace nodebound
