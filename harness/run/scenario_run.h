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
#include "reports/run/report.h"

namespace nodebound {

/// What all scenarios of a run share.
struct RunContext {
  Endpoint& endpoint;
  const RuleSet& rules;
  const ApiResources& resources;  ///< of the release by which the target is judged
  Journal& journal;
  std::string run_id;
  /// Set once the target is gone: nothing more is asked of it.
  std::atomic<bool>& target_gone;
  /// Set once a check has failed in a fail-fast run: no further check is made.
  std::atomic<bool>& enough;
  bool fail_fast;
  bool exact_reasons;
  std::function<void(const CheckResult&)> judged;
  /// Rules of the other target if two are compared; otherwise null.
  const RuleSet* compared_with = nullptr;
  /// Makes nothing: asks only what reviews can answer.
  bool read_only = false;
  /// Why admission cannot be tested alone, because nobody may be let past the authorizers; empty if it can.
  std::string may_not_widen = {};
  /// Whether dry runs are known to have no effect there.
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

  /// The checks of a scenario, each skipped for the given reason.
  ScenarioOutcome skipped(const std::string& reason) const;

 private:
  /// An error once the run was interrupted, or the target is gone.
  [[nodiscard]] Result<void> may_go_on() const;
  [[nodiscard]] bool is_widened(const std::string& subject) const;
  /// Set-up, steps and checks, in order.
  Result<void> make_checks();
  /// One request may stay unanswered. A target that then does not answer /livez either is gone.
  void see_whether_target_lives();
  Result<void> prepare();
  /// Asks by reviews only, up to the first step that would have to make something.
  ScenarioOutcome run_read_only();
  Result<void> perform(const std::vector<Action>& actions);
  [[nodiscard]] std::vector<Probe> probes(const Step& step) const;
  void check(const Step& step);
  [[nodiscard]] bool leaves_what_nobody_removes(const Check& check) const;
  void probe(const Check& check, const Probe& probe, CheckResult result);
  /// Repeats the question until the answer is final: gives a target that learns of writes with a delay time to do so.
  Judgement ask(const Check& check, const Probe& probe, CheckResult& result);
  Judgement ask_once(const Check& check, const Probe& probe, CheckResult& result);
  /// Whether nobody else writes the object that a check is about, so that any change is the request's.
  [[nodiscard]] bool is_alone_with(const Check& check) const;
  SendRequest as(const Subject& subject);
  /// The answer to an allowed request, with the first events of a watch. No answer if a watch cannot be read.
  Result<HttpResponse> whole_answer(const Subject& subject, const HttpRequest& request, HttpResponse response);
  [[nodiscard]] CheckResult blank_result(const Step& step, const Probe& probe) const;
  [[nodiscard]] CheckResult skipped(const Step& step, const Probe& probe, const std::string& reason) const;
  void report(CheckResult result);
  /// What the request needs and the release does not serve, if anything; then an answer says nothing about rules.
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
  std::string unserved_;  ///< what the set-up needs and the release does not serve
};

}  // namespace nodebound
