#include "harness/simulate/control_plane/planned_tokens.h"

#include "fakes/authentication/request_authenticator.h"
#include "reference/encoding/base64.h"

namespace nodebound::simulate {

std::string planned_token(const Subject& subject, fake_kubelet::KubeletTime end) {
  const Object token = {{"user", authentication::to_user_info(subject)}, {"end", end.time_since_epoch().count()}};
  return base64url_encode(token.dump());
}

// As kube-apiserver words it (staging/src/k8s.io/apiserver/pkg/authentication/request/bearertoken and
// pkg/serviceaccount/claims.go).
Object review_planned_token(const Object& spec, fake_kubelet::KubeletTime now) {
  const auto text_of_token = base64url_decode(text(spec, "token"));
  const Object token = text_of_token ? Object::parse(*text_of_token, nullptr, false) : Object();
  const Object& end = member(token, "end");
  if (!end.is_number_integer()) return {{"user", Object::object()}, {"error", "invalid bearer token"}};
  if (now.time_since_epoch().count() >= end.get<std::int64_t>()) {
    return {{"user", Object::object()}, {"error", "[invalid bearer token, service account token has expired]"}};
  }
  return {{"authenticated", true}, {"user", member(token, "user")}};
}

HttpResponse unauthorized(const std::string& why) {
  HttpResponse out;
  out.status = 401;
  out.content_type = "application/json";
  out.body = Object{{"kind", "Status"},         {"apiVersion", "v1"},
                    {"status", "Failure"},      {"message", "Unauthorized (" + why + ")"},
                    {"reason", "Unauthorized"}, {"code", 401}}
                 .dump();
  return out;
}

}  // namespace nodebound::simulate
