#include "fakes/authentication/jose_header.h"

#include <openssl/x509.h>

#include "fakes/authentication/repeated_key.h"
#include "fakes/wire/certificates/openssl.h"
#include "fakes/wire/go/go_types.h"
#include "fakes/wire/go/json.h"
#include "reference/cluster/object.h"
#include "reference/encoding/base64.h"

namespace nodebound::authentication {
namespace {

constexpr const char* kNotVerified = "go-jose/go-jose: error in cryptographic primitive";

bool is_text_or_null(const Object& value) {
  return value.is_string() || value.is_null();
}

bool has_bytes(const Object& key, std::string_view name) {
  const auto bytes = base64url_decode(text(key, name));
  return bytes && !bytes->empty();
}

/// Whether the key in the token's header is a public key. It is not trusted, but must be valid; only RSA is supported
/// here.
bool is_public_key(const Object& key) {
  return text(key, "kty") == "RSA" && has_bytes(key, "n") && has_bytes(key, "e") && member(key, "d").is_null();
}

bool is_certificate(const Object& value) {
  const auto der = value.is_string() ? base64_decode(value.get<std::string>()) : std::nullopt;
  if (!der) return false;
  const auto* in = reinterpret_cast<const unsigned char*>(der->data());
  return openssl::Certificate(d2i_X509(nullptr, &in, static_cast<long>(der->size()))) != nullptr;
}

bool are_certificates(const Object& chain) {
  if (!chain.is_array()) return false;
  for (const Object& each : chain) {
    if (!is_certificate(each)) return false;
  }
  return true;
}

/// Why the header's `crit` (RFC 7515, 4.1.11) makes the token unacceptable. go-jose understands only `b64` (RFC 7797),
/// which says that the payload is in base64, as a token's always is.
std::string demands_of(const Object& header) {
  const Object& critical = member(header, "crit");
  if (!critical.is_null() && !critical.is_array()) return cannot_unmarshal(critical, "value of type []string");
  if (critical.is_array()) {
    for (const Object& each : critical) {
      if (!each.is_string()) return cannot_unmarshal(each, "value of type string");
    }
    for (const Object& each : critical) {
      if (each != "b64") return kNotVerified;
    }
  }
  return member(header, "b64") == false ? kNotVerified : "";
}

}  // namespace

std::optional<JoseHeader> read_jose_header(std::string_view json) {
  const auto plain = plain_json(json);
  if (!plain || repeated_key(*plain, [](std::string_view place) { return place.empty(); })) return std::nullopt;
  const Object header = Object::parse(*plain, nullptr, false);
  if (!header.is_object() && !header.is_null()) return std::nullopt;
  for (const char* name : {"alg", "kid", "nonce"}) {
    if (!is_text_or_null(member(header, name))) return std::nullopt;
  }
  const Object& key = member(header, "jwk");
  if (!key.is_null() && !is_public_key(key)) return std::nullopt;
  const Object& chain = member(header, "x5c");
  if (!chain.is_null() && !are_certificates(chain)) return std::nullopt;
  return JoseHeader{std::string(text(header, "alg")), std::string(text(header, "kid")), demands_of(header)};
}

}  // namespace nodebound::authentication
