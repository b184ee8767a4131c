#include "harness/check/probe_question.h"

#include "harness/check/run_names.h"
#include "harness/check/unserved.h"
#include "harness/endpoint/authorizer/access_decider.h"
#include "reference/identity/node_identity.h"

namespace nodebound {
namespace {

using std::chrono::milliseconds;

std::string described(const Subject& subject) {
  std::string groups;
  for (const std::string& group : subject.groups) groups += (groups.empty() ? "" : ", ") + group;
  return subject.name + " [" + groups + "]";
}

std::string spec_of(const std::string& review) {
  const std::string_view plain = plain_spec(review);
  return plain.empty() ? Object::parse(review)["spec"].dump() : std::string(plain);
}

}  // namespace

void see_whether_target_lives(const ProbeQuestion::World& world) {
  const HttpRequest livez{"GET", "/livez", "", "", false};
  Session& session = world.setting.administrator.session();
  if (!session.send(world.setting.endpoint.administrator(), livez)) world.target_gone = true;
}

std::vector<Capability> ProbeQuestion::needs() const {
  static constexpr Capability first[] = {Capability::request, Capability::access_review, Capability::admission,
                                         Capability::request};
  std::vector<Capability> out = {first[static_cast<std::size_t>(probe_.kind)]};
  const bool widened = world_.setting.scenario.widens(check_.subject);
  // A review about a missing object is meaningless: it is refused whatever the rules say.
  if (!made_ || widened) out.push_back(Capability::objects);
  if (widened) out.push_back(Capability::admission);
  const bool by_token = world_.setting.scenario.token_of(check_.subject) != nullptr;
  if (by_token && probe_.kind != Probe::Kind::authorizer) out.push_back(Capability::own_tokens);
  return out;
}

const Deviation* ProbeQuestion::known_defect() const {
  if (check_.deviation.empty()) return nullptr;
  const Deviation* known = world_.rules.catalogue().find_deviation(check_.deviation);
  return known != nullptr && known->range.holds(world_.rules.release()) ? known : nullptr;
}

// An unexpected allowance is final at once: waiting could only hide it.
milliseconds ProbeQuestion::patience(const Judgement& judgement) const {
  // A canary was waited for, for longer than any answer.
  if (world_.setting.endpoint.decides_on_latest_state() || world_.target_gone || doubt_) return {};
  const Verdict verdict = judgement.verdict();
  if (verdict == Verdict::skip || !judgement.leaked.empty()) return {};
  if (verdict == Verdict::pass) return milliseconds(judgement.reason_match.value_or(true) ? 0 : 500);
  if (probe_.expectation.allow) {
    const bool canary_was_seen = world_.setting.endpoint.must_learn_of_writes();
    return milliseconds(!check_.deviation.empty() ? 150 : canary_was_seen ? 1000 : 5000);
  }
  if (verdict == Verdict::inconclusive) return milliseconds(2000);
  return milliseconds(judgement.decision == Answer::Kind::refused ? 1000 : 0);
}

Judgement ProbeQuestion::ask(CheckResult& result) {
  result.evidence = {};
  std::optional<WriteJudge> write;
  const bool connects = check_.request.connects();
  Exchange asked = exchange(world_.setting, check_, probe_, [&](const HttpRequest& request) {
    if (is_alone() && !connects) write.emplace(request, !check_.keep, world_.resources, as(administrator()));
  });
  ContentMistakes mistakes;
  if (write && !asked.broken) mistakes.others = write->mistakes(asked.response);
  note(asked, result);
  if (asked.broken) return broken(std::move(*asked.broken));
  Judgement judgement = judge(asked.answer, expectation_for(*asked.subject));
  if (asked.answer.kind == Answer::Kind::allowed && probe_.kind == Probe::Kind::request &&
      asked.request.method == "GET" && !connects) {
    Result<ContentMistakes> read = mistakes_of_read(asked);
    if (!read) {
      judgement.reason = {Reason::Kind::unread_watch, {read.error().text()}};
      return judgement;
    }
    mistakes = std::move(*read);
  }
  judge_contents(std::move(mistakes), judgement);
  const int status = asked.answer.status;
  if (judgement.reason.kind == Reason::Kind::undecided && (status == 404 || status == 405)) {
    std::string why = unserved(world_.resources, asked.request.method, asked.request.target);
    if (!why.empty()) judgement.reason = {Reason::Kind::not_asked, {std::move(why)}};
  }
  const bool duly_refused = judgement.verdict() == Verdict::pass && judgement.decision == Answer::Kind::refused;
  if (doubt_ && duly_refused) judgement.reason = {Reason::Kind::stopped, {lasting(doubt_->text())}};
  return judgement;
}

void ProbeQuestion::note(const Exchange& asked, CheckResult& result) const {
  Evidence& evidence = result.evidence;
  if (!asked.subject) return;
  if (probe_.expectation.text != nullptr) result.reason_expected = probe_.expectation.text->pattern();
  evidence.subject = lasting(described(*asked.subject));
  if (!asked.sent) return;
  evidence.request = lasting(asked.sent->method + " " + asked.sent->target);
  const bool reviewed = probe_.kind == Probe::Kind::authorizer;
  if (asked.sent->content_type != "application/json") evidence.type = asked.sent->content_type;
  evidence.body = lasting(reviewed ? spec_of(asked.sent->body) : asked.sent->body);
  if (asked.broken) return;
  evidence.status = asked.answer.status;
  evidence.message = lasting(asked.answer.message);
  evidence.opinion = asked.answer.opinion;
}

Judgement ProbeQuestion::broken(Reason reason) const {
  // Without objects, a review that names them cannot be made.
  if (reason.kind == Reason::Kind::no_review && !world_.makes_objects) reason.kind = Reason::Kind::nothing_to_review;
  if (reason.kind == Reason::Kind::unanswered) see_whether_target_lives(world_);
  if (reason.kind == Reason::Kind::withheld) {
    for (std::string& detail : reason.details) detail = lasting(std::move(detail));
  }
  return {std::move(reason), {}};
}

Expectation ProbeQuestion::expectation_for(const Subject& subject) const {
  Expectation out = probe_.expectation;
  out.known = {{"user", subject.name}};
  if (subject.name.starts_with(node_user_prefix)) {
    out.known.emplace_back("node", subject.name.substr(node_user_prefix.size()));
  }
  return out;
}

bool ProbeQuestion::is_alone() const {
  return world_.has_target_to_itself && !check_.review && !world_.setting.names.shares_name(check_.request);
}

const Subject& ProbeQuestion::administrator() const {
  return world_.setting.endpoint.administrator();
}

SendRequest ProbeQuestion::as(const Subject& subject) const {
  return [this, subject](const HttpRequest& request) {
    return world_.setting.administrator.session().send(subject, request);
  };
}

Result<ContentMistakes> ProbeQuestion::mistakes_of_read(Exchange& asked) const {
  Result<ContentMistakes> out = world_.reads.mistakes(asked.request, std::move(asked.response), as(*asked.subject));
  if (!out) return out;
  for (std::string& each : out->leaked) each = lasting(std::move(each));
  for (std::string& each : out->others) each = lasting(std::move(each));
  return out;
}

std::string ProbeQuestion::lasting(std::string text) const {
  return without_run_names(std::move(text), world_.setting.names.run_id());
}

}  // namespace nodebound
