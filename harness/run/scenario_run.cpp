#include "harness/run/scenario_run.h"

#include <algorithm>

#include "harness/check/contained.h"
#include "harness/check/run_names.h"
#include "harness/check/unserved.h"
#include "harness/endpoint/signals.h"
#include "harness/guest/guest_session.h"
#include "harness/run/changes_meanwhile.h"
#include "harness/run/timed_session.h"

namespace nodebound {
namespace {

bool makes(const Check& check) {
  const std::string& verb = check.request.verb;
  const bool may_make = verb == "create" || verb == "update" || verb == "apply";
  return may_make && check.keep && !check.review && check.request.subresource.empty();
}

}  // namespace

std::string skip_reason(const Scenario& scenario, const RuleSet& rules, bool service_account_plugin_is_on) {
  if (!scenario.holds.contains(rules.release().version)) return "it holds " + scenario.holds.text();
  for (const std::string& gate : scenario.gates) {
    if (rules.release().is_on(gate)) continue;
    const auto found = rules.release().gates.find(gate);
    if (found == rules.release().gates.end()) return "the release has no feature gate " + gate;
    return "the feature gate " + gate + " is off";
  }
  for (const std::string& plugin : scenario.plugins) {
    if (plugin == "ServiceAccount" && !service_account_plugin_is_on)
      return "the admission plugin ServiceAccount is off";
  }
  for (const std::string& plugin : scenario.without_plugins) {
    if (plugin == "ServiceAccount" && service_account_plugin_is_on) {
      return "the admission plugin ServiceAccount, which refuses first, is on";
    }
  }
  return {};
}

ScenarioRun::ScenarioRun(const RunContext& context, const Scenario& scenario, std::size_t number)
    : context_(context),
      scenario_(scenario),
      names_(context.run_id, number, {context.endpoint.observed().api_versions, context.resources}),
      session_(std::make_unique<TimedSession>(
          guest::open_run_session(context.endpoint, scenario.id, context.run_id, context.keeps_dry_runs),
          outcome_.requests, outcome_.request_seconds, outcome_.unanswered)),
      circumstances_(context.endpoint.circumstances_of(scenario.id)),
      administrator_(context.endpoint, *session_, names_, context.journal, false, circumstances_),
      settler_(administrator_, names_, context.rules.release(), context.settling),
      reads_(
          context.resources, context.rules.release().is_on("WatchList"), administrators_reads(),
          [this] { return administrator_.made(); },
          [this] { return circumstances_.decide(!context_.bookmarks_judged.exchange(true)); }),
      world_{{context.endpoint, scenario, names_, administrator_},
             context.rules,
             context.resources,
             reads_,
             context.target_gone,
             makes_objects(),
             context.has_target_to_itself},
      engine_(context.checks, circumstances_) {
  // A record has no place for what is written beside it.
  const bool recorded = &circumstances_ != &real_circumstances();
  if (recorded || !context.endpoint.disposable() || context.endpoint.decides_on_latest_state()) return;
  reads_.change_meanwhile([this](const HttpRequest& watch, const std::function<Result<HttpResponse>()>& read) {
    return with_changes_meanwhile(context_.endpoint, watch, read);
  });
}

// On a cluster that others use, a run reads no more than its checks need.
SendRequest ScenarioRun::administrators_reads() {
  if (!context_.has_target_to_itself) return {};
  return [this](const HttpRequest& request) {
    return administrator_.session().send(context_.endpoint.administrator(), request);
  };
}

Result<void> ScenarioRun::make_checks() {
  Result<void> going = prepare();
  for (; going && next_step_ < scenario_.steps.size(); ++next_step_) {
    if (context_.checks.enough) break;
    reported_of_step_ = 0;
    const Step& step = scenario_.steps[next_step_];
    going = may_go_on();
    if (going) going = perform(step.actions);
    if (!going) break;
    if (step.check) check(step);
  }
  return going;
}

ScenarioOutcome ScenarioRun::run() {
  const Result<void> made = contained([this] { return make_checks(); });
  if (!made && outcome_.unanswered) see_whether_target_lives(world_);
  if (!unserved_.empty()) {
    leave_out_rest({Reason::Kind::not_asked, {lasting(unserved_)}});
  } else if (!made) {
    leave_out_rest({Reason::Kind::stopped, {lasting(made.error().text())}});
  }
  const Result<void> cleaned = contained([this]() -> Result<void> {
    outcome_.clean_up_errors = administrator_.clean_up();
    return {};
  });
  if (!cleaned) outcome_.clean_up_errors.push_back(cleaned.error());
  outcome_.checks = engine_.take();
  return std::move(outcome_);
}

ScenarioOutcome ScenarioRun::left_out(const Reason& why) {
  leave_out_rest(why);
  outcome_.checks = engine_.take();
  return std::move(outcome_);
}

Result<void> ScenarioRun::may_go_on() const {
  if (interrupted()) return unreachable_error("", interruption());
  if (context_.target_gone) return unreachable_error("", "the target is gone");
  if (const auto failure = context_.journal.failure()) return tl::unexpected<Error>(*failure);
  return {};
}

Result<void> ScenarioRun::prepare() {
  if (Result<void> going = may_go_on(); !going) return going;
  if (!makes_objects()) return perform(scenario_.given);
  if (Result<void> made = administrator_.ensure_namespace(std::string(default_namespace)); !made) return made;
  for (const std::string& node : scenario_.nodes) {
    if (Result<void> made = administrator_.create(*parse_request("create nodes/" + node), Object::object()); !made) {
      return made;
    }
  }
  const bool widened = std::any_of(scenario_.steps.begin(), scenario_.steps.end(), [&](const Step& step) {
    if (!step.check) return false;
    return step.check->subject.kind == SubjectText::Kind::node || scenario_.widens(step.check->subject);
  });
  if (widened && context_.checks.can.has(Capability::admission)) {
    if (Result<void> made = administrator_.widen(); !made) return made;
  }
  return perform(scenario_.given);
}

Result<void> ScenarioRun::perform(const std::vector<Action>& actions) {
  if (!makes_objects()) {
    unmade_ = unmade_ || !actions.empty();
    return {};
  }
  for (const Action& action : actions) {
    if (Result<void> done = administrator_.perform(action); !done) {
      Error error = done.error();
      error.where = scenario_.file + ":" + std::to_string(action.line) + ": set-up: " + error.where;
      // On a cluster that others use, a run stays within what it made, even during set-up.
      if (done.error().kind == Error::Kind::withheld) unserved_ = lasting(done.error().text());
      if (!unserved_.empty()) return tl::unexpected<Error>(error);
      // No release serves a GET of a binding.
      const std::string method = action.kind == Action::Kind::bind ? "POST" : "GET";
      unserved_ = unserved(context_.resources, method, names_.path(action.target));
      return tl::unexpected<Error>(error);
    }
    settler_.wrote(action.target);
  }
  return {};
}

std::vector<Probe> ScenarioRun::probes(const Step& step) const {
  const std::string id = scenario_.id + "/" + step.check->name;
  return context_.compared_with == nullptr ? probes_of(*step.check, id, context_.rules)
                                           : probes_of_both(*step.check, id, context_.rules, *context_.compared_with);
}

CheckResult ScenarioRun::blank_result(const Step& step, const Probe& probe) const {
  static constexpr const char* layers[] = {"request", "authorizer", "admission", "authorizer"};
  CheckResult result;
  result.id = probe.id;
  result.scenario = scenario_.title;
  result.title = step.name.empty() ? step.check->name : step.name;
  result.profile = scenario_.profile;
  for (const Rule rule : step.check->rules) result.rules.push_back(context_.rules.catalogue()[rule].id);
  result.layer = layers[static_cast<int>(probe.kind)];
  result.where = scenario_.file + ":" + std::to_string(step.line);
  result.expected = probe.expectation.describe(context_.rules.catalogue());
  return result;
}

void ScenarioRun::check(const Step& step) {
  const std::vector<Probe> asked = probes(step);
  if (makes_objects() && !context_.endpoint.decides_on_latest_state()) {
    if (Result<void> settled = settler_.settle(); !settled) {
      const Reason why{Reason::Kind::stopped, {lasting(settled.error().text())}};
      for (const Probe& one : asked) engine_.leave_out(blank_result(step, one), why);
      reported_of_step_ = asked.size();
      return;
    }
  }
  const bool stays = makes_objects() && administrator_.is_guest() && leaves_what_nobody_removes(*step.check);
  for (const Probe& one : asked) {
    std::string not_asked = unkept_ ? "it follows a request that the target cannot be sent" : one.not_asked;
    if (stays && one.kind != Probe::Kind::authorizer) {
      not_asked = "what it makes here could be taken for an object of others, and would stay";
    }
    ProbeQuestion question(world_, *step.check, one, !unmade_, std::move(not_asked), settler_.doubt());
    engine_.check(blank_result(step, one), question);
    ++reported_of_step_;
  }
  if (!step.check->keep) return;
  // The request may have changed the graph, so the next question waits until the target knows of it.
  settler_.wrote(step.check->request);
  unmade_ = unmade_ || !makes_objects();
  unkept_ = unkept_ || !context_.checks.can.has(Capability::request);
}

bool ScenarioRun::leaves_what_nobody_removes(const Check& check) const {
  return makes(check) && (check.request.name.empty() || names_.shares_name(check.request));
}

void ScenarioRun::leave_out_rest(const Reason& why) {
  for (; next_step_ < scenario_.steps.size(); ++next_step_, reported_of_step_ = 0) {
    const Step& step = scenario_.steps[next_step_];
    if (!step.check) continue;
    const std::vector<Probe> asked = probes(step);
    for (std::size_t i = reported_of_step_; i < asked.size(); ++i) engine_.leave_out(blank_result(step, asked[i]), why);
  }
}

std::string ScenarioRun::lasting(std::string text) const {
  return without_run_names(std::move(text), context_.run_id);
}

}  // namespace nodebound
