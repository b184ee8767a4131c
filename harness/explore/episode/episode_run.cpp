#include "harness/explore/episode/episode_run.h"

#include <algorithm>
#include <chrono>

#include "harness/check/ask_until_final.h"
#include "harness/check/run_names.h"
#include "harness/endpoint/signals.h"
#include "harness/scenario/by_release.h"

namespace nodebound::explore {
namespace {

using std::chrono::milliseconds;

milliseconds patience_of(Pace pace) {
  return pace == Pace::quick ? milliseconds(600) : milliseconds(5000);
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
      session_(session, side.guest ? std::optional(guest::RunBounds(side.run_id, side.keeps_dry_runs)) : std::nullopt),
      administrator_(side.endpoint, session_, names_, side.journal, side.guest) {}

Result<void> EpisodeRun::prepare() {
  if (Result<void> made = administrator_.ensure_namespace(std::string(default_namespace)); !made) return made;
  const bool widened = std::any_of(scenario_.steps.begin(), scenario_.steps.end(), [&](const Step& step) {
    return step.check && scenario_.widens(step.check->subject);
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

milliseconds EpisodeRun::patience(const Check& check, const Heard& heard, const Heard* expected, Pace pace) const {
  const bool final = expected == nullptr || agree(heard, *expected) || !may_be_stale(check, heard, *expected);
  return final ? milliseconds(0) : patience_of(pace);
}

Heard EpisodeRun::ask(const Check& check, const Heard* expected, Pace pace) {
  const auto ask = [&] {
    Heard heard = ask_once(check);
    if (persists(check)) note_write(check.request);
    return heard;
  };
  return ask_until_final(ask, [&](const Heard& heard) { return patience(check, heard, expected, pace); });
}

SendRequest EpisodeRun::as_administrator() {
  return [this](const HttpRequest& request) {
    return administrator_.session().send(side_.endpoint.administrator(), request);
  };
}

// Of reads only the answer itself is judged: other forms, and what the administrator sees, would cost several requests.
std::string EpisodeRun::mistake_in(const Exchange& asked, WriteJudge& write) const {
  std::vector<std::string> found = write.mistakes(asked.response);
  if (asked.answer.kind == Answer::Kind::allowed) {
    const SendRequest nothing = [](const HttpRequest& request) {
      return unreachable_error(request.target, "not asked");
    };
    ReadJudge read(side_.resources, false, {});
    if (Result<ContentMistakes> shown = read.mistakes(asked.request, asked.response, nothing)) {
      for (const std::string& leaked : shown->leaked) found.push_back("it shows " + leaked);
    }
  }
  std::string out;
  for (const std::string& each : found) out += (out.empty() ? "" : ", ") + each;
  return without_run_names(std::move(out), side_.run_id);
}

Heard EpisodeRun::ask_once(const Check& check) {
  Heard heard;
  const bool has_way = !check.ways.empty() && !check.review;
  const Probe probe{check.review ? Probe::Kind::authorizer : Probe::Kind::request,
                    has_way ? std::optional(check.ways.front()) : std::nullopt,
                    "",
                    {}};
  if (probe.way == Way::apply && !side_.rules.in_force(Rule::server_side_apply)) {
    heard.answer.message = "there is no apply yet";
    return heard;
  }
  std::optional<WriteJudge> write;
  const bool judged = side_.judges_contents && !check.review && !names_.shares_name(check.request);
  const Exchange asked =
      exchange({side_.endpoint, scenario_, names_, administrator_}, check, probe, [&](const HttpRequest& request) {
        if (judged) write.emplace(request, !check.keep, side_.resources, as_administrator());
      });
  if (!asked.broken) {
    std::string mistake = write ? mistake_in(asked, *write) : std::string();
    return {true, asked.answer, rule_of(asked.response), std::move(mistake)};
  }
  const Reason::Kind why = asked.broken->kind;
  if (why == Reason::Kind::no_request || why == Reason::Kind::no_review) {
    heard.answer.message = asked.broken->details.front();
  }
  return heard;
}

}  // namespace nodebound::explore
