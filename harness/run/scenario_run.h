#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "harness/endpoint/endpoint.h"
#include "harness/run/administrator.h"
#include "harness/run/probe.h"
#include "harness/run/settle.h"
#include "reference/release/rule_set.h"
#include "reports/report.h"

namespace nodebound {

/// What all scenarios of a run share.
struct RunContext {
  Endpoint& endpoint;
  const RuleSet& rules;
  const ApiResources& resources;  ///< that the release serves which the target is judged as
  Journal& journal;
  std::string run_id;
  /// Set once the target is gone: nothing more is asked of it.
  std::atomic<bool>& target_gone;
  /// Set once a check has failed of a run that ends with the first failure: no further check is made.
  std::atomic<bool>& enough;
  bool fail_fast;
  bool exact_reasons;
  std::function<void(const CheckResult&)> judged;
  /// Rules of the other target, where the answers of two are compared; null otherwise.
  const RuleSet* compared_with = nullptr;
  /// Nothing is made: of each check only what a review can tell is asked.
  bool read_only = false;
  /// Why admission cannot be met alone: nobody may be let past the authorizers. Empty where it can.
  std::string may_not_widen = {};
  /// Whether a dry run is known to have no effect there.
  bool keeps_dry_runs = true;
};

/// A scenario's checks with their results, in order.
struct ScenarioOutcome {
  std::vector<CheckResult> checks;
  std::vector<Error> clean_up_errors;
  std::size_t requests = 0;
  double request_seconds = 0;
  bool unanswered = false;  ///< the last request
};

/// Why a scenario is not for this target or release; empty if it is.
std::string skip_reason(const Scenario& scenario, const RuleSet& rules, bool service_account_plugin_is_on);

/// Runs one scenario from set-up to clean-up.
class ScenarioRun {
 public:
  ScenarioRun(const RunContext& context, const Scenario& scenario, std::size_t number);

  ScenarioOutcome run();

  /// The checks a scenario would make, each skipped for the reason given.
  ScenarioOutcome skipped(const std::string& reason) const;

 private:
  /// Not once the run was interrupted, or the target is gone.
  [[nodiscard]] Result<void> may_go_on() const;
  [[nodiscard]] bool is_widened(const std::string& subject) const;
  /// Set-up, steps and checks, in order.
  Result<void> make_checks();
  /// One request may go unanswered; a target that does not even say whether it lives is gone.
  void see_whether_target_lives();
  Result<void> prepare();
  /// Asks by reviews alone, up to where something would have to be made first.
  ScenarioOutcome run_read_only();
  Result<void> perform(const std::vector<Action>& actions);
  [[nodiscard]] std::vector<Probe> probes(const Step& step) const;
  void check(const Step& step);
  [[nodiscard]] bool leaves_what_nobody_removes(const Check& check) const;
  void probe(const Check& check, const Probe& probe, CheckResult result);
  /// Asks until the answer is final: a target that decides on a state it learns of later is given time to learn.
  Judgement ask(const Check& check, const Probe& probe, CheckResult& result);
  Judgement ask_once(const Check& check, const Probe& probe, CheckResult& result);
  [[nodiscard]] CheckResult blank_result(const Step& step, const Probe& probe) const;
  [[nodiscard]] CheckResult skipped(const Step& step, const Probe& probe, const std::string& reason) const;
  void report(CheckResult result);
  /// What the release does not serve, where that is so: then an answer says nothing about rules.
  [[nodiscard]] std::string unserved(const std::string& method, const std::string& target) const;
  /// Reports the checks that were not made.
  void report_rest(Verdict verdict, const std::string& why);
  [[nodiscard]] std::string without_run_names(std::string text) const;

  const RunContext& context_;
  const Scenario& scenario_;
  Names names_;
  std::unique_ptr<Session> session_;
  Administrator administrator_;
  Settler settler_;
  ScenarioOutcome outcome_;
  std::size_t next_step_ = 0;
  std::size_t reported_of_step_ = 0;
  std::string unserved_;  ///< what the set-up would have needed
};

}  // namespace nodebound
