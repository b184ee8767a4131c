#include "harness/explore/episode/episode_run.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "harness/endpoint/signals.h"
#include "harness/run/probe.h"
#include "harness/scenario/by_release.h"

namespace nodebound {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

milliseconds patience_of(Pace pace) {
  return pace == Pace::quick ? milliseconds(600) : milliseconds(5000);
}

bool is_widened(const Scenario& scenario, const std::string& subject) {
  const auto named = scenario.subjects.find(subject);
  return subject.starts_with("widened ") || (named != scenario.subjects.end() && named->second.widened);
}

std::string rule_of(const HttpResponse& response) {
  const auto found = response.headers.find("x-nodebound-rule");
  return found == response.headers.end() ? std::string() : found->second;
}

}  // namespace

Result<HttpResponse> EpisodeRun::Line::send(const Subject& subject, const HttpRequest& request) {
  if (bounds_) {
    if (const auto allowed = bounds_->allow(request); !allowed) return tl::unexpected<Error>(allowed.error());
  }
  ++requests;
  Result<HttpResponse> response = session_.send(subject, request);
  if (!response) broken = response.error();
  if (response && bounds_) bounds_->note(request, *response);
  return response;
}

EpisodeRun::EpisodeRun(const ExploredSide& side, Session& session, Barrier* barrier, const Episode& episode,
                       std::size_t world)
    : side_(side),
      barrier_(barrier),
      scenario_(at_version(episode.scenario, side.rules.release().version)),
      names_(side.run_id, world, {side.endpoint.observed().api_versions, side.resources}),
      session_(session, side.guest ? std::optional(RunBounds(side.run_id, side.keeps_dry_runs)) : std::nullopt),
      administrator_(side.endpoint, session_, names_, side.journal, side.guest) {}

Result<void> EpisodeRun::prepare() {
  if (Result<void> made = administrator_.ensure_namespace(std::string(default_namespace)); !made) return made;
  const bool widened = std::any_of(scenario_.steps.begin(), scenario_.steps.end(), [&](const Step& step) {
    return step.check && is_widened(scenario_, step.check->subject);
  });
  if (!widened) return {};
  Result<void> made = administrator_.widen();
  if (barrier_ != nullptr) barrier_->wrote(*parse_request(widening_request));
  return made;
}

Result<std::vector<Heard>> EpisodeRun::run(const std::vector<Heard>* expected, Pace pace) {
  if (Result<void> ready = prepare(); !ready) return tl::unexpected<Error>(ready.error());
  std::vector<Heard> out;
  out.reserve(scenario_.steps.size());
  for (std::size_t at = 0; at < scenario_.steps.size(); ++at) {
    const Step& step = scenario_.steps[at];
    if (interrupted()) return unreachable_error("", interruption());
    if (!step.check) {
      out.push_back(perform(step.actions.front()));
    } else {
      if (barrier_ != nullptr) {
        if (Result<void> passed = barrier_->pass(pace); !passed) return tl::unexpected<Error>(passed.error());
      }
      out.push_back(ask(*step.check, expected == nullptr ? nullptr : &(*expected)[at], pace));
    }
    if (session_.broken) return tl::unexpected<Error>(*session_.broken);
    if (const auto failure = side_.journal.failure()) return tl::unexpected<Error>(*failure);
  }
  return out;
}

// A kind that the target does not serve has no canary either.
void EpisodeRun::note_write(const RequestText& target) {
  if (barrier_ == nullptr) return;
  const std::set<std::string>& served = side_.endpoint.observed().api_versions;
  for (const ApiResource& resource : side_.resources.versions_of(target.group, target.resource)) {
    if (served.contains(resource.group_version)) return barrier_->wrote(target);
  }
}

Heard EpisodeRun::perform(const Action& action) {
  const Result<void> done = administrator_.perform(action);
  note_write(action.target);
  Heard heard;
  heard.sent = true;
  heard.answer.kind = done ? Answer::Kind::allowed : Answer::Kind::unclear;
  if (!done) heard.answer.message = done.error().text();
  return heard;
}

// An unexpected allowance can come from a stale state only if something was just written that no canary shows. An
// unexpected refusal always can, because admission reads some objects late.
bool EpisodeRun::may_be_stale(const Check& check, const Heard& heard, const Heard& expected) const {
  if (barrier_ == nullptr || interrupted() || session_.broken) return false;
  const bool allowed = heard.answer.kind == Answer::Kind::allowed;
  if (allowed && persists(check)) return false;
  const bool expected_too = expected.answer.kind == Answer::Kind::allowed;
  return !allowed || expected_too || barrier_->may_be_stale();
}

Heard EpisodeRun::ask(const Check& check, const Heard* expected, Pace pace) {
  const Clock::time_point end = Clock::now() + patience_of(pace);
  for (auto pause = milliseconds(10);; pause *= 2) {
    Heard heard = ask_once(check);
    if (persists(check)) note_write(check.request);
    if (expected == nullptr || agree(heard, *expected) || !may_be_stale(check, heard, *expected)) return heard;
    if (Clock::now() + pause > end) return heard;
    std::this_thread::sleep_for(pause);
  }
}

Heard EpisodeRun::ask_once(const Check& check) {
  Heard heard;
  const Probe probe{check.review ? Probe::Kind::authorizer : Probe::Kind::request,
                    check.ways.empty() || check.review ? std::nullopt : std::optional(check.ways.front()),
                    "",
                    {}};
  const bool unknown_way = probe.way == Way::apply && !side_.rules.in_force(Rule::server_side_apply);
  const Result<HttpRequest> request = unknown_way ? Result<HttpRequest>(unreachable_error("", "there is no apply yet"))
                                                  : build_request(check, probe, names_, administrator_);
  if (!request) {
    heard.answer.message = request.error().text();
    return heard;
  }
  const Subject subject =
      check.subject == "admin" ? side_.endpoint.administrator() : names_.subject(scenario_, check.subject);
  if (check.review) return review(check, subject, *request);
  const Result<HttpResponse> response = administrator_.session().send(subject, *request);
  if (!response) return heard;
  heard.sent = true;
  heard.answer = read_answer(*response);
  heard.rule = rule_of(*response);
  return heard;
}

Heard EpisodeRun::review(const Check& check, const Subject& subject, const HttpRequest& request) {
  Heard heard;
  const Result<Object> review = access_review(subject, check, request, names_, administrator_);
  if (!review) {
    heard.answer.message = review.error().text();
    return heard;
  }
  const Result<HttpResponse> response = session_.send(
      side_.endpoint.administrator(),
      {"POST", "/apis/authorization.k8s.io/v1/subjectaccessreviews", "application/json", review->dump(), false});
  if (!response) return heard;
  heard.sent = true;
  heard.answer = read_review(*response);
  heard.rule = rule_of(*response);
  return heard;
}

}  // namespace nodebound
