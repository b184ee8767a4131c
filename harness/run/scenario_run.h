#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "harness/check/engine.h"
#include "harness/check/probe_question.h"
#include "harness/check/settle.h"
#include "harness/endpoint/endpoint.h"
#include "reference/release/rule_set.h"
#include "reports/run/report.h"

namespace nodebound {

/// What all scenarios of a run share.
struct RunContext {
  CheckRun checks;
  Endpoint& endpoint;
  const RuleSet& rules;
  const ApiResources& resources;  ///< of the release by which the target is judged
  journal::Journal& journal;
  std::string run_id;
  /// Set once the target is gone: nothing more is asked of it.
  std::atomic<bool>& target_gone;
  /// Set once the bookmarks of a watch were judged.
  std::atomic<bool>& bookmarks_judged;
  /// Rules of the other target if two are compared; otherwise null.
  const RuleSet* compared_with = nullptr;
  bool has_target_to_itself = false;
  /// Whether dry runs are known to have no effect there.
  bool keeps_dry_runs = true;
  /// Of a target that must learn of writes; null for others.
  SettlingTimes* settling = nullptr;
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

  /// The checks of a scenario, none of which is made.
  ScenarioOutcome left_out(const Reason& why);

 private:
  [[nodiscard]] bool makes_objects() const { return context_.checks.can.has(Capability::objects); }
  /// An error once the run was interrupted, or the target is gone.
  [[nodiscard]] Result<void> may_go_on() const;
  /// Set-up, steps and checks, in order.
  Result<void> make_checks();
  [[nodiscard]] SendRequest administrators_reads();
  Result<void> prepare();
  Result<void> perform(const std::vector<Action>& actions);
  [[nodiscard]] std::vector<Probe> probes(const Step& step) const;
  void check(const Step& step);
  [[nodiscard]] bool leaves_what_nobody_removes(const Check& check) const;
  [[nodiscard]] CheckResult blank_result(const Step& step, const Probe& probe) const;
  /// Reports the checks that were not made.
  void leave_out_rest(const Reason& why);
  [[nodiscard]] std::string lasting(std::string text) const;

  const RunContext& context_;
  const Scenario& scenario_;
  Names names_;
  ScenarioOutcome outcome_;
  std::unique_ptr<Session> session_;
  Circumstances& circumstances_;
  Administrator administrator_;
  Settler settler_;
  ReadJudge reads_;
  ProbeQuestion::World world_;
  CheckEngine engine_;
  std::size_t next_step_ = 0;
  std::size_t reported_of_step_ = 0;
  bool unmade_ = false;   ///< something that the scenario says was not made
  bool unkept_ = false;   ///< a request that was to change the cluster was not sent
  std::string unserved_;  ///< what the set-up needs and the release does not serve
};

}  // namespace nodebound
