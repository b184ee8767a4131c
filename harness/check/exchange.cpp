#include "harness/check/exchange.h"

namespace nodebound {
namespace {

Subject subject_of(const Setting& setting, const Check& check, const Probe& probe) {
  if (check.subject.kind == SubjectText::Kind::administrator) return setting.endpoint.administrator();
  return setting.names.subject(setting.scenario, check.subject, probe.kind == Probe::Kind::admission);
}

Answer answer_to(const Probe& probe, const HttpResponse& response) {
  switch (probe.kind) {
    case Probe::Kind::authorizer:
      return read_review(response);
    case Probe::Kind::rules_review:
      return read_rules_review(response);
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
  const Subject& sender = reviewed ? setting.endpoint.administrator() : *out.subject;
  Result<HttpResponse> response = setting.administrator.session().send(sender, *out.sent);
  if (!response) {
    out.broken = no_answer(response.error());
    return out;
  }
  out.response = std::move(*response);
  out.answer = answer_to(probe, out.response);
  return out;
}

}  // namespace nodebound
