#include "fakes/kubelet_api/kubelet_handler.h"

#include "fakes/kubelet_api/answers/answer.h"
#include "fakes/websocket/handshake.h"

namespace nodebound::kubelet_api {
namespace {

HttpResponse method_not_allowed(const KubeletRoute& route, bool says_which) {
  HttpResponse out = text_answer(405, "405: Method Not Allowed");
  std::string allowed;
  for (const std::string& method : route.allowed) allowed += (allowed.empty() ? "" : ", ") + method;
  if (says_which) out.headers["allow"] = allowed;
  return out;
}

// The answer of a ServeMux to a target that is not a path.
HttpResponse no_path(std::string_view method) {
  HttpResponse out = empty_answer(400, method);
  out.headers["connection"] = "close";
  return out;
}

}  // namespace

HttpResponse KubeletHandler::without_handler(const KubeletRoute& route) const {
  switch (route.kind) {
    case KubeletRoute::Kind::no_route:
      return text_answer(404, "404: Page Not Found");
    case KubeletRoute::Kind::method_not_allowed:
      return method_not_allowed(route, rules_.in_force(Rule::kubelet_allow_header));
    case KubeletRoute::Kind::not_acceptable:
      return text_answer(406, "406: Not Acceptable\n\nAvailable representations: " + route.produces);
    case KubeletRoute::Kind::disabled:
      return error_answer(405, route.message);
    default:
      return error_answer(404, "404 page not found");
  }
}

HttpResponse KubeletHandler::handle(const IncomingRequest& request) {
  if (request.target == "*") return no_path(request.method);
  const KubeletRoute route = routes_.find(request.method, request.target, request.header("accept"));
  if (route.kind == KubeletRoute::Kind::redirect) {
    return as_written(redirect_answer(routes_.redirect_status(), request.method, route.location), request.method);
  }
  if (guard_ && route.is_guarded()) {
    const KubeletDecision decision =
        guard_->filter.decide(request.method, route.path, credentials(request), guard_->reviewer);
    if (!decision.passes()) return text_answer(decision.status, decision.body);
  }
  HttpResponse answer =
      route.kind == KubeletRoute::Kind::handler ? answers_.answer(route, request) : without_handler(route);
  return as_written(std::move(answer), request.method);
}

KubeletCredentials KubeletHandler::credentials(const IncomingRequest& request) const {
  KubeletCredentials out;
  out.authorization = request.header("authorization");
  out.websocket = asks_for_websocket(request);
  for (const auto& [name, value] : request.headers) {
    if (name == "sec-websocket-protocol") out.subprotocols.push_back(value);
  }
  const auto certificates = guard_->certificates();
  if (!certificates || !request.peer || request.peer->certificates.empty()) return out;
  authentication::Authentication shown = certificates->authenticate(request.peer->certificates);
  out.bad_certificate = !shown.error.empty();
  out.certificate = std::move(shown.subject);
  return out;
}

}  // namespace nodebound::kubelet_api
