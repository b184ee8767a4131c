#pragma once

#include <string>
#include <string_view>

#include "reference/result.h"

namespace nodebound::certify {

/// Signed bytes as DSSE has them (github.com/secure-systems-lab/dsse).
struct Envelope {
  std::string payload_type;
  std::string payload;
  std::string signature;
  std::string key_id;  ///< key_hint() of the key that it says it is signed by; only a Sigstore bundle has one
};

inline constexpr std::string_view in_toto_payload = "application/vnd.in-toto+json";

enum class KeyKind { ecdsa_p256, ed25519 };

/// What is signed: DSSE's pre-authentication encoding of type and payload.
std::string pre_authentication_encoding(std::string_view type, std::string_view payload);

/// A new private key in PEM.
Result<std::string> generate_signing_key(KeyKind kind);

/// The public half, in PEM, of a private or public key. `where` names the text in errors. Only ECDSA P-256 and Ed25519
/// keys are accepted.
Result<std::string> public_half(const std::string& where, const std::string& pem);

/// SHA-256 of the public key as DER, in base64: what cosign puts into its bundles as the key's hint.
Result<std::string> key_hint(const std::string& where, const std::string& pem);

Result<Envelope> sign(const std::string& where, const std::string& private_key_pem, std::string_view payload_type,
                      std::string payload);

/// An error if no such key has signed the envelope.
Result<void> verify_signature(const Envelope& envelope, const std::string& where, const std::string& public_key_pem);

/// The envelope as JSON, alone and as a Sigstore bundle v0.3, which has no entry of a transparency log.
std::string to_dsse_json(const Envelope& envelope);
std::string to_sigstore_bundle(const Envelope& envelope);

/// Reads either form. `where` names the text in errors.
Result<Envelope> read_envelope(std::string_view json, const std::string& where);

}  // namespace nodebound::certify
