#include "harness/certify/dsse.h"

#include <memory>
#include <nlohmann/json.hpp>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/x509.h>

#include "fakes/wire/certificates/digest.h"
#include "fakes/wire/certificates/openssl.h"
#include "harness/certify/bounded_json.h"
#include "reference/encoding/base64.h"

namespace nodebound::certify {
namespace {

constexpr std::string_view sigstore_bundle_type = "application/vnd.dev.sigstore.bundle.v0.3+json";

using DigestContext = std::unique_ptr<EVP_MD_CTX, openssl::Deleter<EVP_MD_CTX_free>>;

const unsigned char* octets(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());  // NOLINT(cppcoreguidelines-pro-type-reinterpret-cast)
}

unsigned char* octets(std::string& text) {
  return reinterpret_cast<unsigned char*>(text.data());  // NOLINT(cppcoreguidelines-pro-type-reinterpret-cast)
}

// Ed25519 hashes by itself.
const EVP_MD* digest_for(const EVP_PKEY* key) {
  return EVP_PKEY_get_id(key) == EVP_PKEY_ED25519 ? nullptr : EVP_sha256();
}

Result<void> accept(const std::string& where, const EVP_PKEY* key) {
  if (EVP_PKEY_get_id(key) == EVP_PKEY_ED25519) return {};
  char group[64] = {};
  const bool named = EVP_PKEY_get_utf8_string_param(key, OSSL_PKEY_PARAM_GROUP_NAME, group, sizeof group, nullptr) == 1;
  if (EVP_PKEY_get_id(key) == EVP_PKEY_EC && named && std::string_view(group) == SN_X9_62_prime256v1) return {};
  return input_error(where, "is no key of ECDSA P-256 or Ed25519", "`nodebound certify --generate-key FILE` makes one");
}

Result<openssl::Key> public_key(const std::string& where, const std::string& pem) {
  Result<std::vector<openssl::Key>> keys = openssl::parse_public_keys(where, pem);
  if (!keys) return tl::unexpected<Error>(keys.error());
  if (keys->size() != 1) return input_error(where, "holds several keys, expected one");
  if (Result<void> fits = accept(where, keys->front().get()); !fits) return tl::unexpected<Error>(fits.error());
  return std::move(keys->front());
}

nlohmann::ordered_json envelope_json(const Envelope& envelope) {
  nlohmann::ordered_json signature;
  signature["sig"] = base64_encode(envelope.signature);
  // cosign refuses a signature that names a key: it knows its own by no name.
  signature["keyid"] = "";
  nlohmann::ordered_json out;
  out["payload"] = base64_encode(envelope.payload);
  out["payloadType"] = envelope.payload_type;
  out["signatures"] = nlohmann::ordered_json::array({signature});
  return out;
}

std::string member_text(const nlohmann::json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

}  // namespace

std::string pre_authentication_encoding(std::string_view type, std::string_view payload) {
  std::string out = "DSSEv1 " + std::to_string(type.size()) + " ";
  out.append(type).append(" ").append(std::to_string(payload.size())).append(" ").append(payload);
  return out;
}

Result<std::string> generate_signing_key(KeyKind kind) {
  const openssl::Key key(kind == KeyKind::ed25519 ? EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519")
                                                  : EVP_PKEY_Q_keygen(nullptr, nullptr, "EC", "P-256"));
  if (key == nullptr) return openssl::failure("", "cannot make a key");
  return openssl::private_key_pem(key.get());
}

Result<std::string> public_half(const std::string& where, const std::string& pem) {
  const Result<openssl::Key> key = public_key(where, pem);
  if (!key) return tl::unexpected<Error>(key.error());
  return openssl::public_key_pem(key->get());
}

Result<std::string> key_hint(const std::string& where, const std::string& pem) {
  const Result<openssl::Key> key = public_key(where, pem);
  if (!key) return tl::unexpected<Error>(key.error());
  unsigned char* der = nullptr;
  const int size = i2d_PUBKEY(key->get(), &der);
  if (size <= 0) return openssl::failure(where, "cannot write the key");
  const std::unique_ptr<unsigned char, openssl::Deleter<[](unsigned char* each) { OPENSSL_free(each); }>> owner(der);
  return base64_encode(sha256({reinterpret_cast<const char*>(der), static_cast<std::size_t>(size)}));
}

Result<Envelope> sign(const std::string& where, const std::string& private_key_pem, std::string_view payload_type,
                      std::string payload) {
  const Result<openssl::Key> key = openssl::parse_private_key(where, private_key_pem);
  if (!key) return tl::unexpected<Error>(key.error());
  if (Result<void> fits = accept(where, key->get()); !fits) return tl::unexpected<Error>(fits.error());
  Envelope out;
  out.payload_type = payload_type;
  out.payload = std::move(payload);
  const Result<std::string> hint = key_hint(where, openssl::public_key_pem(key->get()));
  if (!hint) return tl::unexpected<Error>(hint.error());
  out.key_id = *hint;
  const std::string text = pre_authentication_encoding(out.payload_type, out.payload);
  const DigestContext context(EVP_MD_CTX_new());
  std::size_t size = 0;
  const bool sized = context != nullptr &&
                     EVP_DigestSignInit(context.get(), nullptr, digest_for(key->get()), nullptr, key->get()) == 1 &&
                     EVP_DigestSign(context.get(), nullptr, &size, octets(std::string_view(text)), text.size()) == 1;
  out.signature.resize(size);
  if (!sized ||
      EVP_DigestSign(context.get(), octets(out.signature), &size, octets(std::string_view(text)), text.size()) != 1) {
    return openssl::failure(where, "cannot sign with this key");
  }
  out.signature.resize(size);
  return out;
}

Result<void> verify_signature(const Envelope& envelope, const std::string& where, const std::string& public_key_pem) {
  const Result<openssl::Key> key = public_key(where, public_key_pem);
  if (!key) return tl::unexpected<Error>(key.error());
  const std::string text = pre_authentication_encoding(envelope.payload_type, envelope.payload);
  const DigestContext context(EVP_MD_CTX_new());
  const bool right = context != nullptr &&
                     EVP_DigestVerifyInit(context.get(), nullptr, digest_for(key->get()), nullptr, key->get()) == 1 &&
                     EVP_DigestVerify(context.get(), octets(std::string_view(envelope.signature)),
                                      envelope.signature.size(), octets(std::string_view(text)), text.size()) == 1;
  if (right) return {};
  // This also empties OpenSSL's queue of errors.
  const auto problem = openssl::failure(where, "the statement is not signed by this key");
  Error error = problem.value();
  error.what = "the statement is not signed by this key, or was changed after it was signed";
  error.hint.clear();
  return tl::unexpected<Error>(error);
}

std::string to_dsse_json(const Envelope& envelope) {
  return envelope_json(envelope).dump() + "\n";
}

std::string to_sigstore_bundle(const Envelope& envelope) {
  nlohmann::ordered_json out;
  out["mediaType"] = sigstore_bundle_type;
  out["verificationMaterial"]["publicKey"]["hint"] = envelope.key_id;
  out["dsseEnvelope"] = envelope_json(envelope);
  return out.dump() + "\n";
}

Result<Envelope> read_envelope(std::string_view json, const std::string& where) {
  const auto malformed = [&](const std::string& what) {
    return input_error(where, what, "expected a DSSE envelope, or a Sigstore bundle v0.3 that holds one");
  };
  std::optional<nlohmann::json> document = parse_bounded_object(json);
  if (!document) return malformed("is not JSON, or was cut off");
  std::string key_id;
  if (document->contains("mediaType")) {
    if (member_text(*document, "mediaType") != sigstore_bundle_type) return malformed("is no Sigstore bundle v0.3");
    const nlohmann::json::json_pointer hint("/verificationMaterial/publicKey/hint");
    if (!document->contains(hint) || !document->at(hint).is_string()) return malformed("names no public key");
    key_id = document->at(hint).get<std::string>();
    const auto found = document->find("dsseEnvelope");
    if (found == document->end() || !found->is_object()) return malformed("holds no DSSE envelope");
    document = nlohmann::json(*found);
  }
  const auto signatures = document->find("signatures");
  const bool one = signatures != document->end() && signatures->is_array() && signatures->size() == 1 &&
                   signatures->front().is_object();
  if (!one) return malformed("does not have one signature");
  const auto payload = base64_decode(member_text(*document, "payload"));
  const auto signature = base64_decode(member_text(signatures->front(), "sig"));
  if (!payload || payload->empty() || !signature || signature->empty()) {
    return malformed("lacks a payload or signature in base64");
  }
  return Envelope{member_text(*document, "payloadType"), *payload, *signature, key_id};
}

}  // namespace nodebound::certify
