#include "harness/reviewer/review_handler.h"

#include <string>
#include <string_view>
#include <utility>

namespace nodebound::reviewer {
namespace {

HttpResponse plainly(int status, std::string words) {
  HttpResponse out;
  out.status = status;
  out.content_type = "text/plain";
  out.body = std::move(words) + "\n";
  return out;
}

}  // namespace

HttpResponse ReviewHandler::readiness() const {
  const std::vector<std::string> missing = cluster_.missing();
  if (missing.empty()) return plainly(200, "ok");
  std::string words = "not listed yet:";
  for (const std::string& path : missing) words += " " + path;
  return plainly(503, std::move(words));
}

bool ReviewHandler::may_ask(const IncomingRequest& request) const {
  if (clients_ == nullptr) return true;
  return request.peer != nullptr && clients_->authenticate(request.peer->certificates).subject.has_value();
}

HttpResponse ReviewHandler::handle(const IncomingRequest& request) {
  const std::string_view path = std::string_view(request.target).substr(0, request.target.find('?'));
  if (request.method == "GET") {
    if (path == "/healthz" || path == "/livez") return plainly(200, "ok");
    if (path == "/readyz") return readiness();
    return plainly(404, "expected a POST of a review, or GET /healthz, /livez or /readyz");
  }
  if (request.method != "POST") return plainly(405, "expected a POST of a review");
  if (!may_ask(request)) return plainly(401, "expected a client certificate of the authority of --client-ca");
  if (request.body_too_large) return plainly(413, "the review is too long");
  if (!request.body_error.empty()) return plainly(400, request.body_error);
  if (HttpResponse ready = readiness(); ready.status != 200) return ready;
  using Webhook = ReviewAnswers::Webhook;
  return answers_.answer(request.body, path.ends_with("/mutate") ? Webhook::mutating : Webhook::validating);
}

}  // namespace nodebound::reviewer
