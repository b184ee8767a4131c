#include "harness/run/runner.h"

#include <algorithm>
#include <atomic>
#include <chrono>

#include "harness/check/probe.h"
#include "harness/endpoint/signals.h"
#include "harness/journal/journaled_session.h"
#include "harness/journal/target_probe.h"
#include "harness/run/in_parallel.h"
#include "harness/run/scenario_run.h"
#include "harness/scenario/by_release.h"

namespace nodebound {
namespace {

// The plugin refuses, for every caller including the administrator, a mirror pod that names a service account or a
// Secret. The pod names both, so that a faulty plugin that overlooks one of them is not taken for one that is off.
bool service_account_plugin_is_on(Endpoint& endpoint, journal::Journal& journal, const std::string& run,
                                  std::vector<Error>& clean_up_errors) {
  const Object pod = {{"apiVersion", "v1"},
                      {"kind", "Pod"},
                      {"metadata", {{"name", "nb-" + run + "-probe"}, {"annotations", {{mirror_annotation, "probe"}}}}},
                      {"spec",
                       {{"nodeName", "nodebound-probe"},
                        {"serviceAccountName", "default"},
                        {"volumes", {{{"name", "secret"}, {"secret", {{"secretName", "none"}}}}}},
                        {"containers", {{{"name", "main"}, {"image", "registry.invalid/none"}}}}}}};
  const HttpRequest request{"POST", "/api/v1/namespaces/default/pods?dryRun=All", "application/json", pod.dump(),
                            false};
  const std::unique_ptr<Session> inner = endpoint.open_session();
  journal::JournaledSession session(endpoint, *inner, journal, run);
  Result<HttpResponse> response = tl::unexpected<Error>(Error());
  // A server that has just started may still be creating the namespace.
  for (int attempt = 0; attempt < 50 && !interrupted(); ++attempt) {
    response = session.send(endpoint.administrator(), request);
    if (!response || response->status != 404) break;
    endpoint.circumstances_of("").pause(std::chrono::milliseconds(200));
  }
  // Needed if the target stores dry runs.
  for (Error& error : session.clean_up()) clean_up_errors.push_back(std::move(error));
  return !response || response->body.find("a mirror pod may not reference") != std::string::npos;
}

// What the target can be asked, as far as this run may.
Capabilities capabilities(const Endpoint& endpoint, const RunOptions& options) {
  Capabilities out = endpoint.capabilities();
  if (options.read_only) {
    out = out.without(Capability::request, "only reviews are asked (--read-only)")
              .without(Capability::admission, "only reviews are asked (--read-only)")
              .without(Capability::objects, "what it is about would have to be made first (--read-only)");
  }
  return options.may_not_widen.empty() ? out : out.without(Capability::admission, options.may_not_widen);
}

}  // namespace

std::size_t default_jobs(const Endpoint& endpoint) {
  return endpoint.decides_on_latest_state() ? 1 : 4;
}

Result<std::vector<Scenario>> select(std::vector<Scenario> scenarios, const Selection& selection) {
  const Result<Selector> selector = Selector::make(selection);
  if (!selector) return tl::unexpected<Error>(selector.error());
  std::erase_if(scenarios, [&](const Scenario& scenario) { return !selector->selects(scenario.id, scenario.profile); });
  // Numbers are parts of names, which are the same whatever the share.
  for (std::size_t i = 0; i < scenarios.size(); ++i) scenarios[i].number = i;
  std::erase_if(scenarios, [&](const Scenario& scenario) { return !selection.share.takes(scenario.id); });
  return scenarios;
}

std::size_t count_checks(const std::vector<Scenario>& scenarios, const RuleSet& rules, const RuleSet* compared_with) {
  std::size_t count = 0;
  for (const Scenario& scenario : scenarios) {
    for (const Step& step : at_version(scenario, rules.release().version).steps) {
      if (!step.check) continue;
      count += compared_with == nullptr ? probes_of(*step.check, "", rules).size()
                                        : probes_of_both(*step.check, "", rules, *compared_with).size();
    }
  }
  return count;
}

namespace {

/// The scenarios, by number, that are asked of one server.
struct Part {
  std::optional<ServerSettings> server;  ///< none: the target as it is
  std::vector<std::size_t> numbers;
};

// A server is started once for all scenarios of the same settings.
std::vector<Part> parts_of(const std::vector<Scenario>& scenarios) {
  std::vector<Part> parts(1);
  for (std::size_t i = 0; i < scenarios.size(); ++i) {
    auto part = std::find_if(parts.begin(), parts.end(),
                             [&](const Part& known) { return known.server == scenarios[i].server; });
    if (part == parts.end()) part = parts.insert(parts.end(), {scenarios[i].server, {}});
    part->numbers.push_back(i);
  }
  return parts;
}

class Run {
 public:
  Run(const std::vector<Scenario>& scenarios, const RuleSet& rules, journal::Journal& journal,
      const RunOptions& options, std::vector<Error>& clean_up_errors)
      : scenarios_(scenarios),
        rules_(rules),
        resources_(rules.release()),
        journal_(journal),
        options_(options),
        clean_up_errors_(clean_up_errors),
        settling_(options.settle_within),
        outcomes_(scenarios.size()) {}

  void ask(Endpoint& target, const Part& part);
  /// The checks in the order of the scenarios, whichever server they were asked of.
  Report report();

 private:
  void ask_of(Endpoint& endpoint, const Part& part);
  void leave_out(Endpoint& target, const Part& part, const Reason& why);
  [[nodiscard]] RunContext context_of(Endpoint& endpoint, bool keeps_dry_runs);

  const std::vector<Scenario>& scenarios_;
  const RuleSet& rules_;
  const ApiResources resources_;
  journal::Journal& journal_;
  const RunOptions& options_;
  std::vector<Error>& clean_up_errors_;
  SettlingTimes settling_;
  std::vector<ScenarioOutcome> outcomes_;
  std::atomic<bool> target_gone_ = false;
  std::atomic<bool> bookmarks_judged_ = false;
  std::atomic<bool> enough_ = false;
};

RunContext Run::context_of(Endpoint& endpoint, bool keeps_dry_runs) {
  return {.checks = {.can = capabilities(endpoint, options_),
                     .enough = enough_,
                     .fail_fast = options_.fail_fast,
                     .exact_reasons = options_.exact_reasons,
                     .judged = options_.judged},
          .endpoint = endpoint,
          .rules = rules_,
          .resources = resources_,
          .journal = journal_,
          .run_id = options_.run_id,
          .target_gone = target_gone_,
          .bookmarks_judged = bookmarks_judged_,
          .compared_with = options_.compared_with,
          .has_target_to_itself = endpoint.disposable() || options_.has_target_to_itself,
          .keeps_dry_runs = keeps_dry_runs,
          .settling = endpoint.must_learn_of_writes() ? &settling_ : nullptr};
}

void Run::leave_out(Endpoint& target, const Part& part, const Reason& why) {
  const RunContext context = context_of(target, true);
  for (const std::size_t i : part.numbers) {
    const Scenario scenario = at_version(scenarios_[i], rules_.release().version);
    const std::string reason = skip_reason(scenario, rules_, true);
    ScenarioRun run(context, scenario, scenario.number.value_or(i));
    outcomes_[i] = run.left_out(reason.empty() ? why : Reason{Reason::Kind::not_asked, {reason}});
  }
}

void Run::ask(Endpoint& target, const Part& part) {
  if (part.numbers.empty() || enough_) return;
  if (!part.server) return ask_of(target, part);
  if (const auto lack = target.capabilities().lacks(Capability::own_server)) {
    return leave_out(target, part, {Reason::Kind::not_asked, {*lack}});
  }
  if (interrupted()) return leave_out(target, part, {Reason::Kind::stopped, {interruption()}});
  const bool any_asks = std::any_of(part.numbers.begin(), part.numbers.end(), [&](std::size_t i) {
    return skip_reason(scenarios_[i], rules_, true).empty() || skip_reason(scenarios_[i], rules_, false).empty();
  });
  if (!any_asks) return leave_out(target, part, {Reason::Kind::not_asked, {"nothing else of its server is asked"}});
  const Result<std::unique_ptr<Endpoint>> started = target.start_with(*part.server);
  if (!started) return leave_out(target, part, {Reason::Kind::stopped, {started.error().text()}});
  ask_of(**started, part);
}

void Run::ask_of(Endpoint& endpoint, const Part& part) {
  const bool makes_objects = capabilities(endpoint, options_).has(Capability::objects);
  const RunContext context =
      context_of(endpoint, !makes_objects || journal::keeps_dry_runs(endpoint, journal_, options_.run_id));
  const bool plugin_matters = std::any_of(part.numbers.begin(), part.numbers.end(), [&](std::size_t i) {
    return !scenarios_[i].plugins.empty() || !scenarios_[i].without_plugins.empty();
  });
  const bool plugin_is_on = plugin_matters && makes_objects &&
                            service_account_plugin_is_on(endpoint, journal_, options_.run_id, clean_up_errors_);
  const auto work = [&](std::size_t at, std::size_t) {
    const std::size_t i = part.numbers[at];
    Scenario scenario = at_version(scenarios_[i], rules_.release().version);
    if (!makes_objects) {
      // Finding out which plugins are on takes a write. Authorizer checks do not depend on plugins.
      scenario.plugins.clear();
      scenario.without_plugins.clear();
    }
    ScenarioRun run(context, scenario, scenario.number.value_or(i));
    std::string reason = skip_reason(scenario, rules_, plugin_is_on);
    if (reason.empty()) reason = options_.lacks(scenario);
    outcomes_[i] = reason.empty() ? run.run() : run.left_out({Reason::Kind::not_asked, {reason}});
  };
  in_parallel(part.numbers.size(), options_.jobs, work, [&] { return enough_.load(); });
}

Report Run::report() {
  Report report;
  report.run.settling = settling_.summary();
  if (!options_.share.is_all()) report.run.part = Report::Run::Part{options_.share, "", {}};
  for (std::size_t i = 0; i < scenarios_.size(); ++i) {
    ScenarioOutcome& outcome = outcomes_[i];
    if (report.run.part) {
      report.run.part->scenarios.emplace_back(scenarios_[i].number.value_or(i), outcome.checks.size());
    }
    std::move(outcome.checks.begin(), outcome.checks.end(), std::back_inserter(report.checks));
    std::move(outcome.clean_up_errors.begin(), outcome.clean_up_errors.end(), std::back_inserter(clean_up_errors_));
    report.run.requests += outcome.requests;
    report.run.request_seconds += outcome.request_seconds;
  }
  return report;
}

}  // namespace

Report run_scenarios(const std::vector<Scenario>& scenarios, Endpoint& endpoint, const RuleSet& rules,
                     journal::Journal& journal, const RunOptions& options, std::vector<Error>& clean_up_errors) {
  Run run(scenarios, rules, journal, options, clean_up_errors);
  const std::vector<Part> parts = parts_of(scenarios);
  for (const Part& part : parts) run.ask(endpoint, part);
  return run.report();
}

}  // namespace nodebound
