#include "harness/run/runner.h"

#include <algorithm>
#include <atomic>
#include <thread>

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
bool service_account_plugin_is_on(Endpoint& endpoint, Journal& journal, const std::string& run,
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
  JournaledSession session(endpoint, *inner, journal, run);
  Result<HttpResponse> response = tl::unexpected<Error>(Error());
  // A server that has just started may still be creating the namespace.
  for (int attempt = 0; attempt < 50 && !interrupted(); ++attempt) {
    response = session.send(endpoint.administrator(), request);
    if (!response || response->status != 404) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
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

Result<std::vector<Scenario>> select(std::vector<Scenario> scenarios, const Selection& selection) {
  const Result<Selector> selector = Selector::make(selection);
  if (!selector) return tl::unexpected<Error>(selector.error());
  std::erase_if(scenarios, [&](const Scenario& scenario) { return !selector->takes(scenario.id, scenario.profile); });
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

Report run_scenarios(const std::vector<Scenario>& scenarios, Endpoint& endpoint, const RuleSet& rules, Journal& journal,
                     const RunOptions& options, std::vector<Error>& clean_up_errors) {
  const Capabilities can = capabilities(endpoint, options);
  const bool makes_objects = can.has(Capability::objects);
  std::atomic<bool> target_gone = false;
  std::atomic<bool> bookmarks_judged = false;
  std::atomic<bool> enough = false;
  const ApiResources resources(rules.release());
  const RunContext context{.checks = {.can = can,
                                      .enough = enough,
                                      .fail_fast = options.fail_fast,
                                      .exact_reasons = options.exact_reasons,
                                      .judged = options.judged},
                           .endpoint = endpoint,
                           .rules = rules,
                           .resources = resources,
                           .journal = journal,
                           .run_id = options.run_id,
                           .target_gone = target_gone,
                           .bookmarks_judged = bookmarks_judged,
                           .compared_with = options.compared_with,
                           .has_target_to_itself = endpoint.disposable() || options.has_target_to_itself,
                           .keeps_dry_runs = !makes_objects || keeps_dry_runs(endpoint, journal, options.run_id)};
  const bool plugin_matters = std::any_of(scenarios.begin(), scenarios.end(), [](const Scenario& scenario) {
    return !scenario.plugins.empty() || !scenario.without_plugins.empty();
  });
  const bool plugin_is_on = plugin_matters && makes_objects &&
                            service_account_plugin_is_on(endpoint, journal, options.run_id, clean_up_errors);

  std::vector<ScenarioOutcome> outcomes(scenarios.size());
  const auto work = [&](std::size_t i, std::size_t) {
    Scenario scenario = at_version(scenarios[i], rules.release().version);
    if (!makes_objects) {
      // Finding out which plugins are on takes a write. Authorizer checks do not depend on plugins.
      scenario.plugins.clear();
      scenario.without_plugins.clear();
    }
    ScenarioRun run(context, scenario, i);
    std::string reason = skip_reason(scenario, rules, plugin_is_on);
    if (reason.empty()) reason = options.lacks(scenario);
    outcomes[i] = reason.empty() ? run.run() : run.skipped(reason);
  };
  in_parallel(scenarios.size(), options.jobs, work, [&] { return enough.load(); });

  Report report;
  for (ScenarioOutcome& outcome : outcomes) {
    std::move(outcome.checks.begin(), outcome.checks.end(), std::back_inserter(report.checks));
    std::move(outcome.clean_up_errors.begin(), outcome.clean_up_errors.end(), std::back_inserter(clean_up_errors));
    report.run.requests += outcome.requests;
    report.run.request_seconds += outcome.request_seconds;
  }
  return report;
}

}  // namespace nodebound
