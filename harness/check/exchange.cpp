#include "harness/check/exchange.h"

#include "reference/identity/bearer_token.h"

namespace nodebound {
namespace {

Subject subject_of(const Setting& setting, const Check& check, const Probe& probe) {
  if (check.subject.kind == SubjectText::Kind::administrator) return setting.endpoint.administrator();
  return setting.names.subject(setting.scenario, check.subject, probe.kind == Probe::Kind::admission);
}

// The verb of what a review is to list may have no HTTP method.
Attributes listed_by(const Check& check, const Names& names) {
  Attributes out = attributes_of("GET", names.path(*check.lists));
  out.verb = check.lists->verb;
  return out;
}

Answer answer_to(const Check& check, const Probe& probe, const Names& names, const HttpResponse& response) {
  switch (probe.kind) {
    case Probe::Kind::authorizer:
      return read_review(response);
    case Probe::Kind::rules_review:
      return check.lists ? read_listed_rules(response, listed_by(check, names)) : read_rules_review(response);
    case Probe::Kind::request:
    case Probe::Kind::admission:
      break;
  }
  return read_answer(response);
}

Reason no_answer(const Error& error) {
  if (error.kind == Error::Kind::withheld) return {Reason::Kind::withheld, {error.where, error.what}};
  return {Reason::Kind::unanswered, {error.text()}};
}

// Whoever has a token shows nothing else: a certificate would be looked at first.
Result<Subject> with_token(const Setting& setting, const Check& check, const Subject& subject, HttpRequest& request) {
  const TokenText* token = setting.scenario.token_of(check.subject);
  if (token == nullptr) return subject;
  const Result<std::string> issued = setting.administrator.token(*token);
  if (!issued) return tl::unexpected<Error>(issued.error());
  request.headers["authorization"] = "Bearer " + *issued;
  return anonymous_subject();
}

}  // namespace

Exchange exchange(const Setting& setting, const Check& check, const Probe& probe,
                  const std::function<void(const HttpRequest&)>& before_sending) {
  Exchange out;
  Result<HttpRequest> request = build_request(check, probe, setting.names, setting.administrator);
  if (!request) {
    out.broken = Reason{Reason::Kind::no_request, {request.error().text()}};
    return out;
  }
  out.request = std::move(*request);
  out.subject = subject_of(setting, check, probe);
  const bool reviewed = probe.kind == Probe::Kind::authorizer;
  out.sent = out.request;
  if (reviewed) {
    out.sent.reset();
    const Result<Object> review = access_review(*out.subject, check, out.request, setting.names, setting.administrator);
    if (!review) {
      out.broken = Reason{Reason::Kind::no_review, {review.error().text()}};
      return out;
    }
    out.sent = HttpRequest{"POST", access_review_path, "application/json", review->dump(), false};
  }
  if (!reviewed) before_sending(out.request);
  const Result<Subject> sender = reviewed ? Result<Subject>(setting.endpoint.administrator())
                                          : with_token(setting, check, *out.subject, *out.sent);
  if (!sender) {
    out.sent.reset();
    out.broken = Reason{Reason::Kind::no_request, {sender.error().text()}};
    return out;
  }
  Result<HttpResponse> response = setting.administrator.session().send(*sender, *out.sent);
  if (!response) {
    out.broken = no_answer(response.error());
    return out;
  }
  out.response = std::move(*response);
  out.answer = answer_to(check, probe, setting.names, out.response);
  return out;
}

}  // namespace nodebound
