#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/endpoint/endpoint.h"
#include "harness/journal/journal.h"
#include "harness/run/selection.h"
#include "harness/scenario/scenario.h"
#include "reference/release/rule_set.h"
#include "reports/report.h"

namespace nodebound {

struct RunOptions {
  std::string run_id;
  std::size_t jobs = 1;
  /// Nothing more is asked once a check has failed.
  bool fail_fast = false;
  /// A refusal in other words than the catalogue's fails: what an upstream build must not do, and others may.
  bool exact_reasons = false;
  /// Called for each check as it is judged, from any thread.
  std::function<void(const CheckResult&)> judged = [](const CheckResult&) {};
  /// Rules of another target with which the answers are compared: what they ask is asked here, too.
  const RuleSet* compared_with = nullptr;
  /// Makes nothing: of each check only what a review can tell is asked.
  bool read_only = false;
  /// Why admission cannot be met alone; empty where it can.
  std::string may_not_widen = {};
  /// Why a scenario cannot be run with the rights that there are; empty where it can.
  std::function<std::string(const Scenario&)> lacks = [](const Scenario&) { return std::string(); };
};

Result<std::vector<Scenario>> select(std::vector<Scenario> scenarios, const Selection& selection);

/// Number of checks that a run of the scenarios reports.
std::size_t count_checks(const std::vector<Scenario>& scenarios, const RuleSet& rules,
                         const RuleSet* compared_with = nullptr);

/// Runs the scenarios and gives the report's checks in their order, whatever the number of jobs. Errors of the clean-up
/// are added to `clean_up_errors`; what could not be removed stays in the journal. Of what
/// comes after the first failure of a run that fails fast the report has nothing.
Report run_scenarios(const std::vector<Scenario>& scenarios, Endpoint& endpoint, const RuleSet& rules, Journal& journal,
                     const RunOptions& options, std::vector<Error>& clean_up_errors);

}  // namespace nodebound
