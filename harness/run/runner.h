#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "harness/endpoint/endpoint.h"
#include "harness/journal/journal.h"
#include "harness/run/selection.h"
#include "harness/scenario/scenario.h"
#include "reference/release/rule_set.h"
#include "reports/run/report.h"

namespace nodebound {

struct RunOptions {
  std::string run_id;
  std::size_t jobs = 1;
  /// How long a target that must learn of writes may take to.
  std::chrono::milliseconds settle_within = std::chrono::seconds(15);
  /// Asks nothing more once a check has failed.
  bool fail_fast = false;
  /// A refusal whose text differs from the catalogue's fails. For upstream builds; other implementations may reword.
  bool exact_reasons = false;
  /// Called for each check as it is judged, from any thread.
  std::function<void(const CheckResult&)> judged = [](const CheckResult&) {};
  /// Rules of another target with which the answers are compared: whatever they ask is asked here too.
  const RuleSet* compared_with = nullptr;
  /// Which share of the scenarios these are; the report of one says where its checks stand.
  Share share = {};
  /// Nobody else changes the target during the run: what writes store and what reads leave out is judged, too.
  bool has_target_to_itself = false;
  /// Makes nothing: asks only what reviews can answer.
  bool read_only = false;
  /// Why admission cannot be tested alone; empty if it can.
  std::string may_not_widen = {};
  /// Why the available rights do not suffice for a scenario; empty if they do.
  std::function<std::string(const Scenario&)> lacks = [](const Scenario&) { return std::string(); };
};

/// How many scenarios to run side by side: several where most of the time goes into waiting for the target.
std::size_t default_jobs(const Endpoint& endpoint);

Result<std::vector<Scenario>> select(std::vector<Scenario> scenarios, const Selection& selection);

/// Number of checks that a run of the scenarios reports.
std::size_t count_checks(const std::vector<Scenario>& scenarios, const RuleSet& rules,
                         const RuleSet* compared_with = nullptr);

/// Runs the scenarios and returns the report's checks in their order, whatever the number of jobs. Errors of the
/// clean-up are added to `clean_up_errors`; what could not be removed stays in the journal. With fail-fast, the report
/// ends at the first failure.
Report run_scenarios(const std::vector<Scenario>& scenarios, Endpoint& endpoint, const RuleSet& rules,
                     journal::Journal& journal, const RunOptions& options, std::vector<Error>& clean_up_errors);

}  // namespace nodebound
