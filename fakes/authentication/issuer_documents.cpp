#include "fakes/authentication/issuer_documents.h"

#include <set>

#include "fakes/authentication/jwt.h"

namespace nodebound::authentication {
namespace {

constexpr std::string_view configuration_path = "/.well-known/openid-configuration";
constexpr std::string_view keys_path = "/openid/v1/jwks";

Object web_keys(const ServiceAccountTokens& tokens) {
  Object out = Object::array();
  for (const openssl::Key& key : tokens.verification_keys()) {
    if (Object own = web_key_of(key.get()); !own.is_null()) out.push_back(std::move(own));
  }
  return out;
}

HttpResponse cached(const char* content_type, const Object& body) {
  HttpResponse out;
  out.status = 200;
  out.content_type = content_type;
  out.headers["cache-control"] = "public, max-age=3600";
  out.body = body.dump();
  return out;
}

}  // namespace

std::optional<HttpResponse> issuer_document(const ServiceAccountTokens& tokens, const std::string& server_url,
                                            std::string_view path) {
  const bool tells_keys = path == keys_path;
  if (!tells_keys && path != configuration_path) return std::nullopt;
  if (!tokens.issuer().starts_with("https://")) return std::nullopt;
  const Object keys = web_keys(tokens);
  if (tells_keys) return cached("application/jwk-set+json", {{"keys", keys}});
  std::set<std::string> algorithms;
  for (const Object& key : keys) algorithms.emplace(text(key, "alg"));
  return cached("application/json", {{"issuer", tokens.issuer()},
                                     {"jwks_uri", server_url + std::string(keys_path)},
                                     {"response_types_supported", {"id_token"}},
                                     {"subject_types_supported", {"public"}},
                                     {"id_token_signing_alg_values_supported", algorithms}});
}

}  // namespace nodebound::authentication
