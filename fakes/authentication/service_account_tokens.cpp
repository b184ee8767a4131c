#include "fakes/authentication/service_account_tokens.h"

#include <algorithm>
#include <limits>
#include <openssl/err.h>

#include "fakes/authentication/jwt.h"
#include "fakes/authentication/token_claims.h"
#include "fakes/wire/timestamp.h"
#include "reference/release/refusal_text.h"

namespace nodebound::authentication {
namespace {

constexpr std::int64_t kLeeway = 60;  ///< go-jose's, for clocks that differ
constexpr const char* kInvalidated = "service account token has been invalidated";

/// A time that does not fit into an integer becomes the least one, as in Go on amd64.
std::int64_t seconds(const Object& claims, std::string_view name, std::int64_t missing) {
  constexpr double beyond = 9223372036854775808.0;
  const Object& value = member(claims, name);
  if (!value.is_number()) return missing;
  const double time = value.get<double>();
  const bool fits = time >= -beyond && time < beyond;
  return fits ? static_cast<std::int64_t>(time) : std::numeric_limits<std::int64_t>::min();
}

/// `aud` is a string or a list of strings.
std::vector<std::string> audiences_of(const Object& claims) {
  const Object& value = member(claims, "aud");
  return value.is_string() ? std::vector{value.get<std::string>()} : strings_of(value);
}

/// As Go prints a list with %q.
std::string quoted(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& each : texts) out += (out.empty() ? "" : " ") + go_quoted(each);
  return "[" + out + "]";
}

Object reference(const std::string& name, const std::string& uid) {
  Object claim{{"name", name}};
  if (!uid.empty()) claim["uid"] = uid;
  return claim;
}

/// Why the object that `claim` names cannot be used: it does not exist, or has another UID.
std::string broken_reference(const Object& claim, const std::string& what, const std::string& claim_text,
                             const ObjectKey& key, const apiserver::FindObject& find) {
  const std::optional<Object> object = find(key);
  if (!object) return kInvalidated;
  const std::string_view uid = text(*object, "metadata", "uid");
  if (uid == text(claim, "uid")) return {};
  return what + " UID (" + std::string(uid) + ") does not match " + claim_text + " (" +
         std::string(text(claim, "uid")) + ")";
}

}  // namespace

ServiceAccountTokens::ServiceAccountTokens(Options options) : options_(std::move(options)) {
  for (const openssl::Key& key : options_.verification_keys) key_ids_.push_back(key_id_of(key.get()));
}

apiserver::IssuedToken ServiceAccountTokens::issue(const apiserver::TokenOrder& order) const {
  const std::int64_t now = options_.clock();
  Object own{{"namespace", order.namespace_},
             {"serviceaccount", reference(order.service_account, order.service_account_uid)}};
  if (order.bound_kind == "Secret") own["secret"] = reference(order.bound_name, order.bound_uid);
  if (order.bound_kind == "Node" && options_.features.token_names_bound_node) {
    own["node"] = reference(order.bound_name, order.bound_uid);
  }
  if (order.bound_kind == "Pod") {
    own["pod"] = reference(order.bound_name, order.bound_uid);
    const bool tells_node = options_.features.token_has_node_of_pod && !order.node_name.empty();
    if (tells_node) own["node"] = reference(order.node_name, order.node_uid);
  }
  apiserver::IssuedToken issued;
  issued.audiences = order.audiences.empty() ? options_.audiences : order.audiences;
  issued.expiration = timestamp_of_seconds(now + order.expiration_seconds);
  Object claims{{"aud", issued.audiences},
                {"exp", now + order.expiration_seconds},
                {"iat", now},
                {"iss", options_.issuer},
                {"kubernetes.io", std::move(own)},
                {"nbf", now},
                {"sub", "system:serviceaccount:" + order.namespace_ + ":" + order.service_account}};
  if (options_.features.token_has_id) claims["jti"] = options_.new_id();
  issued.token = signed_jwt(claims, options_.signing_key.get());
  return issued;
}

std::vector<EVP_PKEY*> ServiceAccountTokens::keys_for(const Jwt& token) const {
  const bool named = !token.key_id.empty() && options_.features.token_key_must_be_known;
  std::vector<EVP_PKEY*> out;
  for (std::size_t i = 0; i < key_ids_.size(); ++i) {
    if (!named || key_ids_[i] == token.key_id) out.push_back(options_.verification_keys[i].get());
  }
  return out;
}

std::string ServiceAccountTokens::not_verified(const Jwt& token) const {
  const std::vector<EVP_PKEY*> keys = keys_for(token);
  if (keys.empty()) return "invalid signature, no keys found";
  if (!token.demands.empty()) return token.demands;
  const bool verified = std::any_of(keys.begin(), keys.end(), [&](EVP_PKEY* key) { return token.is_signed_by(key); });
  ERR_clear_error();
  return verified ? "" : "go-jose/go-jose: error in cryptographic primitive";
}

std::string ServiceAccountTokens::outside_its_time(const Object& claims) const {
  const std::int64_t now = options_.clock();
  if (now + kLeeway < seconds(claims, "nbf", now)) return "service account token is not valid yet";
  if (now - kLeeway > seconds(claims, "exp", now)) return "service account token has expired";
  if (now + kLeeway < seconds(claims, "iat", now)) return "service account token is issued in the future";
  return {};
}

std::string ServiceAccountTokens::broken_binding(const Object& claims, const apiserver::FindObject& find) const {
  const Object& own = member(claims, "kubernetes.io");
  const std::string namespace_(text(own, "namespace"));
  const auto named = [&](std::string_view what) { return std::string(text(own, what, "name")); };
  const ObjectKey account{"", "serviceaccounts", namespace_, named("serviceaccount")};
  if (!find(account)) return "serviceaccounts " + go_quoted(account.name) + " not found";
  std::string broken = broken_reference(member(own, "serviceaccount"), "service account", "claim", account, find);
  if (!options_.features.token_needs_bound_object) return broken;
  if (broken.empty() && !member(own, "secret").is_null()) {
    broken = broken_reference(member(own, "secret"), "secret", "service account secret ref claim",
                              {"", "secrets", namespace_, named("secret")}, find);
  }
  const bool has_pod = !member(own, "pod").is_null();
  if (broken.empty() && has_pod) {
    broken = broken_reference(member(own, "pod"), "pod", "service account pod ref claim",
                              {"", "pods", namespace_, named("pod")}, find);
  }
  // The Node of a token bound to a pod is only reported, not checked.
  const bool of_node = !has_pod && options_.features.token_tells_node && !member(own, "node").is_null();
  if (broken.empty() && of_node && !options_.features.token_node_is_checked) {
    return "token is bound to a Node object but the ServiceAccountTokenNodeBindingValidation feature gate is disabled";
  }
  if (broken.empty() && of_node) {
    broken = broken_reference(member(own, "node"), "node", "service account node ref claim",
                              {"", "nodes", "", named("node")}, find);
  }
  return broken;
}

Subject ServiceAccountTokens::subject_of(const Object& claims) const {
  const Object& own = member(claims, "kubernetes.io");
  const std::string namespace_(text(own, "namespace"));
  Subject subject{"system:serviceaccount:" + namespace_ + ":" + std::string(text(own, "serviceaccount", "name")),
                  {"system:serviceaccounts", "system:serviceaccounts:" + namespace_},
                  std::string(text(own, "serviceaccount", "uid")),
                  {}};
  const auto add = [&](const char* key, std::string_view value) {
    if (!value.empty()) subject.extra["authentication.kubernetes.io/" + std::string(key)] = {std::string(value)};
  };
  add("pod-name", text(own, "pod", "name"));
  add("pod-uid", text(own, "pod", "uid"));
  const bool has_pod = !member(own, "pod").is_null();
  if (has_pod ? options_.features.token_has_node_of_pod : options_.features.token_tells_node) {
    add("node-name", text(own, "node", "name"));
    add("node-uid", text(own, "node", "uid"));
  }
  const std::string_view id = text(claims, "jti");
  if (options_.features.token_has_id && !id.empty()) add("credential-id", "JTI=" + std::string(id));
  return subject;
}

Authentication ServiceAccountTokens::authenticate(std::string_view token, const std::vector<std::string>& wanted,
                                                  const apiserver::FindObject& find) const {
  const std::optional<Jwt> jwt = Jwt::parse(token);
  if (!jwt || text(jwt->claims, "iss") != options_.issuer) return Authentication::no_opinion();
  if (std::string why = not_verified(*jwt); !why.empty()) return Authentication::failed(std::move(why));
  if (std::string why = claims_mistake(jwt->claims, jwt->claims_text); !why.empty()) {
    return Authentication::failed(std::move(why));
  }
  std::vector<std::string> own = audiences_of(jwt->claims);
  if (own.empty()) own = options_.audiences;
  std::vector<std::string> audiences = in_common(own, wanted);
  if (audiences.empty()) {
    return Authentication::failed("token audiences " + quoted(own) + " is invalid for the target audiences " +
                                  quoted(wanted));
  }
  if (std::string why = outside_its_time(jwt->claims); !why.empty()) return Authentication::failed(std::move(why));
  if (std::string why = broken_binding(jwt->claims, find); !why.empty()) return Authentication::failed(std::move(why));
  return {subject_of(jwt->claims), std::move(audiences), {}};
}

}  // namespace nodebound::authentication
