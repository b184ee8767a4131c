#include "harness/run/scenario_run.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <thread>

#include "fakes/wire/resources/routes.h"
#include "harness/contents/contents.h"
#include "harness/endpoint/signals.h"
#include "harness/guest/guest_session.h"
#include "harness/run/contained.h"
#include "harness/run/timed_session.h"
#include "harness/run/uids.h"
#include "reference/identity/node_identity.h"

namespace nodebound {
namespace {

using Clock = std::chrono::steady_clock;

std::string described(const Subject& subject) {
  std::string groups;
  for (const std::string& group : subject.groups) groups += (groups.empty() ? "" : ", ") + group;
  return subject.name + " [" + groups + "]";
}

// Replaces certificate requests and public keys, which are new in each run. All are longer than any name.
std::string without_encoded_keys(const std::string& text) {
  constexpr std::size_t shortest = 80;
  const auto is_base64 = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '+' || c == '/' || c == '=';
  };
  std::string out;
  for (auto at = text.begin(); at != text.end();) {
    const auto end = std::find_if_not(at, text.end(), is_base64);
    if (static_cast<std::size_t>(end - at) >= shortest) {
      out += "BASE64";
    } else {
      out.append(at, end);
    }
    at = end;
    if (at != text.end()) out += *at++;
  }
  return out;
}

bool makes(const Check& check) {
  const std::string& verb = check.request.verb;
  const bool may_make = verb == "create" || verb == "update" || verb == "apply";
  return may_make && check.keep && !check.review && check.request.subresource.empty();
}

// How long an unexpected answer may be explained by a target that learns of writes with a delay. An unexpected
// allowance is final at once: waiting could only hide it.
std::chrono::milliseconds patience_with(const Judgement& judgement, const Expectation& expectation, bool may_deviate) {
  if (judgement.verdict == Verdict::skip || !judgement.leaked.empty()) return {};
  if (judgement.verdict == Verdict::pass && judgement.reason_match.value_or(true)) return {};
  if (judgement.verdict == Verdict::pass) return std::chrono::milliseconds(500);
  if (expectation.allow) return std::chrono::milliseconds(may_deviate ? 150 : 5000);
  if (judgement.verdict == Verdict::inconclusive) return std::chrono::milliseconds(2000);
  const bool refused = judgement.observed.starts_with("refused");
  return std::chrono::milliseconds(refused ? 1000 : 0);
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
      session_(
          std::make_unique<TimedSession>(open_run_session(context.endpoint, context.run_id, context.keeps_dry_runs),
                                         outcome_.requests, outcome_.request_seconds, outcome_.unanswered)),
      administrator_(context.endpoint, *session_, names_, context.journal),
      settler_(administrator_, names_, context.rules.release()) {}

Result<void> ScenarioRun::make_checks() {
  Result<void> going = prepare();
  for (; going && next_step_ < scenario_.steps.size(); ++next_step_) {
    if (context_.enough) break;
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
  if (context_.read_only) return run_read_only();
  const Result<void> made = contained([this] { return make_checks(); });
  if (!made && outcome_.unanswered) see_whether_target_lives();
  if (!unserved_.empty()) {
    report_rest(Verdict::skip, unserved_);
  } else if (!made) {
    report_rest(Verdict::inconclusive, made.error().text());
  }
  const Result<void> cleaned = contained([this]() -> Result<void> {
    outcome_.clean_up_errors = administrator_.clean_up();
    return {};
  });
  if (!cleaned) outcome_.clean_up_errors.push_back(cleaned.error());
  return std::move(outcome_);
}

void ScenarioRun::see_whether_target_lives() {
  const HttpRequest livez{"GET", "/livez", "", "", false};
  if (!session_->send(context_.endpoint.administrator(), livez)) context_.target_gone = true;
}

ScenarioOutcome ScenarioRun::run_read_only() {
  // A review about a missing object is meaningless: it is refused whatever the rules say.
  bool unmade = !scenario_.given.empty();
  for (; next_step_ < scenario_.steps.size(); ++next_step_) {
    const Step& step = scenario_.steps[next_step_];
    unmade = unmade || !step.actions.empty();
    if (!step.check) continue;
    reported_of_step_ = 0;
    const auto going = may_go_on();
    if (context_.enough) break;
    if (!going) {
      report_rest(Verdict::inconclusive, going.error().text());
      break;
    }
    for (const Probe& one : probes(step)) {
      if (!one.not_asked.empty()) {
        report(skipped(step, one, one.not_asked));
      } else if (one.kind != Probe::Kind::authorizer) {
        report(skipped(step, one, "only reviews are asked (--read-only)"));
      } else if (unmade || is_widened(step.check->subject)) {
        report(skipped(step, one, "what it is about would have to be made first (--read-only)"));
      } else {
        probe(*step.check, one, blank_result(step, one));
      }
    }
    unmade = unmade || step.check->keep;
  }
  return std::move(outcome_);
}

ScenarioOutcome ScenarioRun::skipped(const std::string& reason) const {
  ScenarioOutcome outcome;
  for (const Step& step : scenario_.steps) {
    if (!step.check) continue;
    for (const Probe& probe : probes(step)) {
      CheckResult result = skipped(step, probe, reason);
      context_.judged(result);
      outcome.checks.push_back(std::move(result));
    }
  }
  return outcome;
}

Result<void> ScenarioRun::may_go_on() const {
  if (interrupted()) return unreachable_error("", interruption());
  if (context_.target_gone) return unreachable_error("", "the target is gone");
  if (const auto failure = context_.journal.failure()) return tl::unexpected<Error>(*failure);
  return {};
}

bool ScenarioRun::is_widened(const std::string& subject) const {
  const auto named = scenario_.subjects.find(subject);
  return subject.starts_with("widened ") || (named != scenario_.subjects.end() && named->second.widened);
}

Result<void> ScenarioRun::prepare() {
  if (Result<void> going = may_go_on(); !going) return going;
  if (Result<void> made = administrator_.ensure_namespace(std::string(default_namespace)); !made) return made;
  for (const std::string& node : scenario_.nodes) {
    if (Result<void> made = administrator_.create(*parse_request("create nodes/" + node), Object::object()); !made) {
      return made;
    }
  }
  const bool widened = std::any_of(scenario_.steps.begin(), scenario_.steps.end(), [&](const Step& step) {
    if (!step.check) return false;
    return step.check->subject.starts_with("node ") || is_widened(step.check->subject);
  });
  if (widened && context_.may_not_widen.empty()) {
    if (Result<void> made = administrator_.widen(); !made) return made;
  }
  return perform(scenario_.given);
}

Result<void> ScenarioRun::perform(const std::vector<Action>& actions) {
  for (const Action& action : actions) {
    if (Result<void> done = administrator_.perform(action); !done) {
      Error error = done.error();
      error.where = scenario_.file + ":" + std::to_string(action.line) + ": set-up: " + error.where;
      // On a cluster that others use, a run stays within what it made, even during set-up.
      if (done.error().kind == Error::Kind::withheld) unserved_ = without_run_names(done.error().text());
      if (!unserved_.empty()) return tl::unexpected<Error>(error);
      // No release serves a GET of a binding.
      const std::string method = action.kind == Action::Kind::bind ? "POST" : "GET";
      unserved_ = unserved(method, names_.path(action.target));
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

CheckResult ScenarioRun::skipped(const Step& step, const Probe& probe, const std::string& reason) const {
  CheckResult result = blank_result(step, probe);
  result.verdict = Verdict::skip;
  result.why = reason;
  return result;
}

void ScenarioRun::check(const Step& step) {
  const std::vector<Probe> asked = probes(step);
  if (!context_.endpoint.decides_on_latest_state()) {
    if (Result<void> settled = settler_.settle(); !settled) {
      for (const Probe& one : asked) {
        CheckResult result = blank_result(step, one);
        result.why = without_run_names(settled.error().text());
        report(std::move(result));
      }
      return;
    }
  }
  const bool widened = is_widened(step.check->subject);
  const bool stays = administrator_.is_guest() && leaves_what_nobody_removes(*step.check);
  for (const Probe& one : asked) {
    if (stays && one.kind != Probe::Kind::authorizer) {
      report(skipped(step, one, "what it makes here could be taken for an object of others, and would stay"));
    } else if (!one.not_asked.empty()) {
      report(skipped(step, one, one.not_asked));
    } else if (!context_.may_not_widen.empty() && (widened || one.kind == Probe::Kind::admission)) {
      report(skipped(step, one, context_.may_not_widen));
    } else {
      probe(*step.check, one, blank_result(step, one));
    }
  }
  // The request may have changed the graph, so the next question waits until the target knows of it.
  if (step.check->keep) settler_.wrote(step.check->request);
}

bool ScenarioRun::leaves_what_nobody_removes(const Check& check) const {
  return makes(check) && (check.request.name.empty() || names_.shares_name(check.request));
}

void ScenarioRun::probe(const Check& check, const Probe& probe, CheckResult result) {
  const Judgement judgement = ask(check, probe, result);
  result.verdict = judgement.verdict;
  result.observed = judgement.observed;
  if (!judgement.why.empty()) result.why = judgement.why;
  result.reason_match = judgement.reason_match;
  result.leaked = judgement.leaked;
  if (context_.exact_reasons && judgement.reason_match == false) {
    result.verdict = Verdict::fail;
    result.why = "refused in other words than the release's: " + result.reason_expected;
  }
  const Deviation* known =
      check.deviation.empty() ? nullptr : context_.rules.catalogue().find_deviation(check.deviation);
  const bool turned_round = result.verdict == Verdict::fail &&
                            (judgement.why.starts_with("allowed what") || judgement.why.starts_with("refused what"));
  if (known != nullptr && turned_round && known->range.holds(context_.rules.release())) {
    result.verdict = Verdict::deviation;
    result.deviation = known->id;
    result.why = known->statement + " See " + known->issue;
  }
  report(std::move(result));
}

Judgement ScenarioRun::ask(const Check& check, const Probe& probe, CheckResult& result) {
  const Clock::time_point started = Clock::now();
  for (auto pause = std::chrono::milliseconds(5);; pause = std::min(pause * 2, std::chrono::milliseconds(250))) {
    Judgement judgement = ask_once(check, probe, result);
    if (context_.endpoint.decides_on_latest_state() || context_.target_gone || interrupted()) return judgement;
    if (Clock::now() - started >= patience_with(judgement, probe.expectation, !check.deviation.empty())) {
      return judgement;
    }
    std::this_thread::sleep_for(pause);
  }
}

Judgement ScenarioRun::ask_once(const Check& check, const Probe& probe, CheckResult& result) {
  Judgement judgement;
  result.evidence = {};
  const Result<HttpRequest> request = build_request(check, probe, names_, administrator_);
  if (!request) {
    judgement.why = "the request could not be made: " + request.error().text();
    return judgement;
  }
  const Subject subject = check.subject == "admin"
                              ? context_.endpoint.administrator()
                              : names_.subject(scenario_, check.subject, probe.kind == Probe::Kind::admission);
  Expectation expectation = probe.expectation;
  expectation.known = {{"user", subject.name}};
  if (subject.name.starts_with(node_user_prefix)) {
    expectation.known.emplace_back("node", subject.name.substr(node_user_prefix.size()));
  }
  if (expectation.text != nullptr) result.reason_expected = expectation.text->pattern();

  result.evidence.subject = without_run_names(described(subject));
  Result<HttpResponse> response = tl::unexpected<Error>(Error());
  ContentMistakes mistakes;
  if (probe.kind == Probe::Kind::authorizer) {
    const Result<Object> review = access_review(subject, check, *request, names_, administrator_);
    if (!review) {
      if (context_.read_only) judgement.verdict = Verdict::skip;
      judgement.why = "the review could not be made: " + review.error().text();
      return judgement;
    }
    const std::string path = "/apis/authorization.k8s.io/v1/subjectaccessreviews";
    result.evidence.request = "POST " + path;
    result.evidence.body = without_run_names((*review)["spec"].dump());
    response = administrator_.session().send(context_.endpoint.administrator(),
                                             {"POST", path, "application/json", review->dump(), false});
  } else {
    result.evidence.request = without_run_names(request->method + " " + request->target);
    result.evidence.body = without_run_names(request->body);
    std::optional<WriteJudge> write;
    if (is_alone_with(check))
      write.emplace(*request, !check.keep, context_.resources, as(context_.endpoint.administrator()));
    response = administrator_.session().send(subject, *request);
    if (write && response) mistakes.others = write->mistakes(*response);
  }
  if (!response && response.error().kind == Error::Kind::withheld) {
    // The request was withheld: on a cluster that others use, a run stays within what it made.
    judgement.verdict = Verdict::skip;
    judgement.why = without_run_names(response.error().where + ": " + response.error().what);
    return judgement;
  }
  if (!response) {
    judgement.why = "no answer: " + response.error().text();
    see_whether_target_lives();
    return judgement;
  }
  const Answer answer = probe.kind == Probe::Kind::authorizer     ? read_review(*response)
                        : probe.kind == Probe::Kind::rules_review ? read_rules_review(*response)
                                                                  : read_answer(*response);
  result.evidence.status = answer.status;
  result.evidence.message = without_run_names(answer.message);
  judgement = judge(answer, expectation);
  result.evidence.layer = judgement.layer;
  result.evidence.decision = judgement.decision;
  if (answer.kind == Answer::Kind::allowed && probe.kind == Probe::Kind::request && request->method == "GET") {
    const Result<HttpResponse> whole = whole_answer(subject, *request, std::move(*response));
    if (!whole) {
      judgement.verdict = Verdict::inconclusive;
      judgement.why = "the watch is allowed, but its events could not be read: " + whole.error().text();
      return judgement;
    }
    // On a cluster that others use, a run reads no more than its checks need.
    const SendRequest as_administrator =
        context_.endpoint.disposable() ? as(context_.endpoint.administrator()) : SendRequest();
    mistakes = judge_read(*request, *whole, context_.resources, as(subject), as_administrator);
    for (std::string& each : mistakes.leaked) each = without_run_names(std::move(each));
    for (std::string& each : mistakes.others) each = without_run_names(std::move(each));
  }
  judge_contents(std::move(mistakes), judgement);
  if (judgement.verdict == Verdict::inconclusive && (answer.status == 404 || answer.status == 405)) {
    if (std::string reason = unserved(request->method, request->target); !reason.empty()) {
      judgement.verdict = Verdict::skip;
      judgement.why = std::move(reason);
    }
  }
  return judgement;
}

bool ScenarioRun::is_alone_with(const Check& check) const {
  return context_.endpoint.disposable() && !check.review && !names_.shares_name(check.request);
}

SendRequest ScenarioRun::as(const Subject& subject) {
  return [this, subject](const HttpRequest& request) { return administrator_.session().send(subject, request); };
}

Result<HttpResponse> ScenarioRun::whole_answer(const Subject& subject, const HttpRequest& request,
                                               HttpResponse response) {
  if (!request.watch) return response;
  if (response.stream != nullptr) {
    response.stream->take(response.body);
    return response;
  }
  // Only the head of a watch was read. The same watch for a second ends by itself.
  HttpRequest again = request;
  again.watch = false;
  const std::string mark = "timeoutSeconds=";
  const std::size_t at = again.target.find(mark);
  if (at != std::string::npos) again.target.replace(at, again.target.find('&', at) - at, mark + "1");
  Result<HttpResponse> whole = administrator_.session().send(subject, again);
  if (whole && whole->status != 200) return unreachable_error(again.target, "HTTP " + std::to_string(whole->status));
  return whole;
}

std::string ScenarioRun::unserved(const std::string& method, const std::string& target) const {
  const Attributes attributes = attributes_of(method, target);
  if (!attributes.resource_request) return {};
  const Route::Outcome outcome = route_of(context_.resources, attributes).outcome;
  if (outcome == Route::Outcome::found) return {};
  std::string what = attributes.full_resource();
  if (!attributes.api_group.empty()) what += " of " + attributes.api_group;
  if (outcome == Route::Outcome::method_not_allowed) return "the release serves no " + attributes.verb + " of " + what;
  return "the release does not serve " + what;
}

// Names, UIDs and keys differ from run to run on a shared cluster; reports should not.
std::string ScenarioRun::without_run_names(std::string text) const {
  const std::string mark = "nb-" + context_.run_id + "-";
  for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at)) {
    text.replace(at, mark.size(), "nb-RUN-");
  }
  return without_encoded_keys(without_uids(std::move(text), "UID"));
}

void ScenarioRun::report(CheckResult result) {
  ++reported_of_step_;
  if (context_.fail_fast && result.verdict == Verdict::fail) context_.enough = true;
  context_.judged(result);
  outcome_.checks.push_back(std::move(result));
}

void ScenarioRun::report_rest(Verdict verdict, const std::string& why) {
  for (; next_step_ < scenario_.steps.size(); ++next_step_, reported_of_step_ = 0) {
    const Step& step = scenario_.steps[next_step_];
    if (!step.check) continue;
    const std::vector<Probe> asked = probes(step);
    for (std::size_t i = reported_of_step_; i < asked.size(); ++i) {
      CheckResult result = blank_result(step, asked[i]);
      result.verdict = verdict;
      result.why = without_run_names(why);
      context_.judged(result);
      outcome_.checks.push_back(std::move(result));
    }
  }
}

}  // namespace nodebound
