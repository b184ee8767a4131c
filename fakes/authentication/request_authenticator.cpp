#include "fakes/authentication/request_authenticator.h"

#include <algorithm>

namespace nodebound {
namespace {

/// The token of an `Authorization` header; empty if it has none. Like upstream, a second blank hides it.
std::string_view bearer_token(std::string_view header) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  while (!header.empty() && is_blank(header.front())) header.remove_prefix(1);
  while (!header.empty() && is_blank(header.back())) header.remove_suffix(1);
  const std::size_t blank = header.find(' ');
  if (blank == std::string_view::npos) return {};
  constexpr std::string_view kScheme = "bearer";
  const bool is_bearer =
      std::equal(header.begin(), header.begin() + static_cast<std::ptrdiff_t>(blank), kScheme.begin(), kScheme.end(),
                 [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; });
  if (!is_bearer) return {};
  const std::string_view rest = header.substr(blank + 1);
  return rest.substr(0, rest.find(' '));
}

}  // namespace

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
                                              const FindObject& find) const {
  const std::string_view token = bearer_token(authorization);
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
    Subject& subject = *authentication.subject;
    const bool is_said = subject.name == "system:anonymous" || subject.in_group("system:authenticated") ||
                         subject.in_group("system:unauthenticated");
    if (!is_said) subject.groups.emplace_back("system:authenticated");
    return authentication;
  }
  if (!authentication.error.empty() || !options_.anonymous) return authentication;
  return {Subject{"system:anonymous", {"system:unauthenticated"}, "", {}}, options_.audiences, {}};
}

Authentication RequestAuthenticator::authenticate(const IncomingRequest& request, const FindObject& find) const {
  Authentication by_certificate;
  if (options_.certificates && request.peer && !request.peer->certificates.empty()) {
    by_certificate = options_.certificates->authenticate(request.peer->certificates);
    if (by_certificate.subject) return concluded(std::move(by_certificate));
  }
  Authentication token = by_token(request.header("authorization"), options_.audiences, find);
  // A bad certificate is an error, although a good token makes up for it.
  if (!token.subject && token.error.empty()) token.error = by_certificate.error;
  return concluded(std::move(token));
}

Object RequestAuthenticator::review(const Object& spec, const FindObject& find) const {
  std::vector<std::string> wanted;
  for (const Object& audience : member(spec, "audiences")) {
    if (audience.is_string()) wanted.push_back(audience.get<std::string>());
  }
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

}  // namespace nodebound
