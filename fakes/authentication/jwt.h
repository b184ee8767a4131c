#pragma once

#include <memory>
#include <openssl/evp.h>
#include <optional>
#include <string>
#include <string_view>

#include "reference/cluster/object.h"

namespace nodebound {

/// A JSON web token in its compact form, taken apart (RFC 7515, 7519).
struct Jwt {
  std::string algorithm;
  std::string key_id;
  Object claims;
  /// The claims as JSON that every parser reads alike: a key that is there twice is in it twice.
  std::string claims_text;
  /// Why nobody may take it, whoever signed it: its header demands what is not understood here. Empty: it does not.
  std::string demands;
  std::string signed_part;
  std::string signature;

  /// Nothing if it is none, or has a header that go-jose does not read; nothing about it is verified.
  static std::optional<Jwt> parse(std::string_view token);

  /// Whether the owner of the key has signed it, by an algorithm that goes with the key.
  [[nodiscard]] bool is_signed_by(EVP_PKEY* key) const;
};

/// Signs claims with RS256, or ES256, ES384 or ES512 as the key's curve has it; empty if the key can do neither.
std::string signed_jwt(const Object& claims, EVP_PKEY* key);

/// What tokens call a key: a digest of its public half (pkg/serviceaccount/jwt.go, keyIDFromPublicKey).
std::string key_id_of(EVP_PKEY* key);

}  // namespace nodebound
