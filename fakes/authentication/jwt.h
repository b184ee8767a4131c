#pragma once

#include <memory>
#include <openssl/evp.h>
#include <optional>
#include <string>
#include <string_view>

#include "reference/cluster/object.h"

namespace nodebound::authentication {

/// A JSON web token in its compact form, taken apart (RFC 7515, 7519).
struct Jwt {
  std::string algorithm;
  std::string key_id;
  Object claims;
  /// The claims as JSON that every parser reads alike. A key that occurs twice still occurs twice in it.
  std::string claims_text;
  /// What the header requires and is not understood here, so that the token must be refused; empty: nothing.
  std::string demands;
  std::string signed_part;
  std::string signature;

  /// Nothing if it is not a token, or if go-jose does not read its header; nothing is verified.
  static std::optional<Jwt> parse(std::string_view token);

  /// Whether the owner of the key has signed it, with an algorithm that fits the key.
  [[nodiscard]] bool is_signed_by(EVP_PKEY* key) const;
};

/// Signs claims with RS256, or with ES256, ES384 or ES512 by the key's curve; empty if the key fits none of them.
std::string signed_jwt(const Object& claims, EVP_PKEY* key);

/// The public half of a key as a JSON web key (RFC 7517), for who verifies tokens; null if no token is signed by such a
/// key.
Object web_key_of(EVP_PKEY* key);

/// The id by which tokens name a key: a digest of its public half (pkg/serviceaccount/jwt.go, keyIDFromPublicKey).
std::string key_id_of(EVP_PKEY* key);

}  // namespace nodebound::authentication
