#include "fakes/authentication/request_authenticator.h"

#include <algorithm>

#include "fakes/authentication/websocket_token.h"
#include "reference/identity/bearer_token.h"

namespace nodebound::authentication {

std::vector<std::string> in_common(const std::vector<std::string>& audiences, const std::vector<std::string>& wanted) {
  std::vector<std::string> out;
  for (const std::string& audience : audiences) {
    if (std::find(wanted.begin(), wanted.end(), audience) != wanted.end()) out.push_back(audience);
  }
  return out;
}

Object to_user_info(const Subject& subject) {
  Object info = Object::object();
  if (!subject.name.empty()) info["username"] = subject.name;
  if (!subject.uid.empty()) info["uid"] = subject.uid;
  if (!subject.groups.empty()) info["groups"] = subject.groups;
  if (!subject.extra.empty()) info["extra"] = subject.extra;
  return info;
}

Authentication RequestAuthenticator::by_token(std::string_view authorization, const std::vector<std::string>& wanted,
                                              const apiserver::FindObject& find) const {
  return by_bare_token(bearer_token(authorization), wanted, find);
}

Authentication RequestAuthenticator::by_bare_token(std::string_view token, const std::vector<std::string>& wanted,
                                                   const apiserver::FindObject& find) const {
  if (token.empty() || options_.tokens.empty()) return Authentication::no_opinion();
  std::string errors;
  for (const auto& authenticator : options_.tokens) {
    Authentication said = authenticator->authenticate(token, wanted, find);
    if (said.subject) return said;
    if (!said.error.empty()) errors += ", " + said.error;
  }
  const std::string invalid = "invalid bearer token";
  return Authentication::failed(errors.empty() ? invalid : "[" + invalid + errors + "]");
}

Authentication RequestAuthenticator::concluded(Authentication authentication) const {
  if (authentication.subject) {
    authentication.subject = authenticated(std::move(*authentication.subject));
    return authentication;
  }
  if (!authentication.error.empty() || !options_.anonymous) return authentication;
  return {anonymous_subject(), options_.audiences, {}, std::move(authentication.warning)};
}

Authentication RequestAuthenticator::authenticate(const IncomingRequest& request,
                                                  const apiserver::FindObject& find) const {
  Authentication by_certificate;
  if (options_.certificates && request.peer && !request.peer->certificates.empty()) {
    by_certificate = options_.certificates->authenticate(request.peer->certificates);
    if (by_certificate.subject) return concluded(std::move(by_certificate));
  }
  const std::string_view authorization = request.header("authorization");
  Authentication token = by_token(authorization, options_.audiences, find);
  if (!token.subject && !options_.tokens.empty()) {
    // Browsers cannot set the Authorization header, so they send the token as a WebSocket subprotocol.
    const WebsocketToken shown = websocket_token(request);
    Authentication by_websocket = shown.error.empty() ? by_bare_token(shown.token, options_.audiences, find)
                                                      : Authentication::failed(shown.error);
    if (by_websocket.subject || token.error.empty()) token = std::move(by_websocket);
  }
  // A bad certificate is an error, unless a token is good.
  if (!token.subject && token.error.empty()) token.error = by_certificate.error;
  if (hides_token(authorization)) {
    token.warning = "the provided Authorization header contains extra space before the bearer token, and is ignored";
  }
  return concluded(std::move(token));
}

Object RequestAuthenticator::review(const Object& spec, const apiserver::FindObject& find) const {
  std::vector<std::string> wanted = strings_of(member(spec, "audiences"));
  if (wanted.empty()) wanted = options_.audiences;
  const std::string header = "Bearer " + std::string(text(spec, "token"));
  const Authentication answer = concluded(by_token(header, wanted, find));
  if (!answer.subject) {
    Object status{{"user", Object::object()}};
    if (!answer.error.empty()) status["error"] = answer.error;
    return status;
  }
  return {{"authenticated", true}, {"user", to_user_info(*answer.subject)}, {"audiences", answer.audiences}};
}

}  // namespace nodebound::authentication
