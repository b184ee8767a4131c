#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "reports/run/report.h"

namespace nodebound {

/// Checks of a report that have something in common.
struct CheckGroup {
  std::string key;
  std::vector<const CheckResult*> checks;
};

using CheckKey = std::function<std::string(const CheckResult&)>;
using CheckFilter = std::function<bool(const CheckResult&)>;

/// The checks that `belongs` selects, grouped by key, in the order in which the report first has each key.
std::vector<CheckGroup> grouped_checks(const Report& report, const CheckFilter& belongs, const CheckKey& key);
std::vector<CheckGroup> grouped_checks(const Report& report, Verdict verdict, const CheckKey& key);

/// The largest first; those of one size stay in order.
void sort_by_size(std::vector<CheckGroup>& groups);

/// How many checks of each group to show if at most `most` are: one of each before a second of any, so that a rule with
/// a hundred failures does not hide one with a single failure.
std::vector<std::size_t> fair_shares(const std::vector<CheckGroup>& groups, std::size_t most);

/// The rule that should have decided, or `no rule named`.
std::string deciding_rule(const CheckResult& check);
/// Why it has its verdict, or `no reason given`.
std::string reason_of_verdict(const CheckResult& check);

/// `CONFORMS`, `DOES NOT CONFORM: 2 checks failed, 1 rule broken`, …
std::string verdict_line(const Report& report);

}  // namespace nodebound
