#include "fakes/authentication/jwt.h"

#include <algorithm>
#include <array>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/rsa.h>

#include "fakes/authentication/jose_header.h"
#include "fakes/wire/certificates/digest.h"
#include "fakes/wire/certificates/openssl.h"
#include "fakes/wire/go/json.h"
#include "reference/encoding/base64.h"

namespace nodebound::authentication {
namespace {

using Digest = std::unique_ptr<EVP_MD_CTX, openssl::Deleter<EVP_MD_CTX_free>>;
using EcSignature = std::unique_ptr<ECDSA_SIG, openssl::Deleter<ECDSA_SIG_free>>;

const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

struct Algorithm {
  std::string_view name;
  std::string_view key_type;
  int key_bits;  ///< of the curve; 0 for RSA keys of any size
  const EVP_MD* (*digest)();
  bool pss = false;
};

constexpr std::array<Algorithm, 9> kAlgorithms{{{"RS256", "RSA", 0, EVP_sha256},
                                                {"RS384", "RSA", 0, EVP_sha384},
                                                {"RS512", "RSA", 0, EVP_sha512},
                                                {"PS256", "RSA", 0, EVP_sha256, true},
                                                {"PS384", "RSA", 0, EVP_sha384, true},
                                                {"PS512", "RSA", 0, EVP_sha512, true},
                                                {"ES256", "EC", 256, EVP_sha256},
                                                {"ES384", "EC", 384, EVP_sha384},
                                                {"ES512", "EC", 521, EVP_sha512}}};

/// The algorithm of that name that fits the key; with an empty name, any that fits.
const Algorithm* algorithm_for(EVP_PKEY* key, std::string_view name) {
  for (const Algorithm& algorithm : kAlgorithms) {
    if (!name.empty() && algorithm.name != name) continue;
    if (EVP_PKEY_is_a(key, std::string(algorithm.key_type).c_str()) != 1) continue;
    if (algorithm.key_bits == 0 || EVP_PKEY_get_bits(key) == algorithm.key_bits) return &algorithm;
  }
  return nullptr;
}

std::size_t half_size(const Algorithm& algorithm) {
  return static_cast<std::size_t>(algorithm.key_bits + 7) / 8;
}

/// Tokens have the two numbers of an ECDSA signature side by side; OpenSSL wants them in DER.
std::string to_der(const std::string& raw, std::size_t half) {
  if (raw.size() != 2 * half) return {};
  const EcSignature signature(ECDSA_SIG_new());
  BIGNUM* r = BN_bin2bn(bytes_of(raw), static_cast<int>(half), nullptr);
  BIGNUM* s = BN_bin2bn(bytes_of(raw) + half, static_cast<int>(half), nullptr);
  if (!signature || ECDSA_SIG_set0(signature.get(), r, s) != 1) {
    BN_free(r);
    BN_free(s);
    return {};
  }
  unsigned char* der = nullptr;
  const int size = i2d_ECDSA_SIG(signature.get(), &der);
  if (size <= 0) return {};
  std::string out(reinterpret_cast<const char*>(der), static_cast<std::size_t>(size));
  OPENSSL_free(der);
  return out;
}

std::string from_der(const std::string& der, std::size_t half) {
  const unsigned char* in = bytes_of(der);
  const EcSignature signature(d2i_ECDSA_SIG(nullptr, &in, static_cast<long>(der.size())));
  std::string raw(2 * half, '\0');
  auto* out = reinterpret_cast<unsigned char*>(raw.data());
  if (!signature || BN_bn2binpad(ECDSA_SIG_get0_r(signature.get()), out, static_cast<int>(half)) < 0 ||
      BN_bn2binpad(ECDSA_SIG_get0_s(signature.get()), out + half, static_cast<int>(half)) < 0) {
    return {};
  }
  return raw;
}

/// A number of a key in base64url, filled up to a size.
std::string number_of(EVP_PKEY* key, const char* name, std::size_t size) {
  BIGNUM* found = nullptr;
  if (EVP_PKEY_get_bn_param(key, name, &found) != 1) return {};
  const std::unique_ptr<BIGNUM, openssl::Deleter<BN_free>> number(found);
  std::string bytes(std::max(size, static_cast<std::size_t>(BN_num_bytes(found))), '\0');
  BN_bn2binpad(found, reinterpret_cast<unsigned char*>(bytes.data()), static_cast<int>(bytes.size()));
  return base64url_encode(bytes);
}

}  // namespace

std::optional<Jwt> Jwt::parse(std::string_view token) {
  const std::size_t first = token.find('.');
  const std::size_t second = first == std::string_view::npos ? first : token.find('.', first + 1);
  if (second == std::string_view::npos || token.find('.', second + 1) != std::string_view::npos) return std::nullopt;
  const auto header = base64url_decode(token.substr(0, first));
  const auto claims = base64url_decode(token.substr(first + 1, second - first - 1));
  auto signature = base64url_decode(token.substr(second + 1));
  if (!header || !claims || !signature) return std::nullopt;
  const auto head = read_jose_header(*header);
  auto text = plain_json(*claims);
  if (!head || !text) return std::nullopt;
  Jwt jwt;
  jwt.claims = Object::parse(*text, nullptr, false);
  if (!jwt.claims.is_object()) return std::nullopt;
  jwt.claims_text = std::move(*text);
  jwt.algorithm = head->algorithm;
  jwt.key_id = head->key_id;
  jwt.demands = head->demands;
  // The signed text is encoded anew from the decoded parts: of two encodings of the same bytes only one is signed.
  jwt.signed_part = base64url_encode(*header) + "." + base64url_encode(*claims);
  jwt.signature = std::move(*signature);
  return jwt;
}

bool Jwt::is_signed_by(EVP_PKEY* key) const {
  const Algorithm* used = algorithm.empty() ? nullptr : algorithm_for(key, algorithm);
  if (used == nullptr) return false;
  const std::string der = used->key_bits == 0 ? signature : to_der(signature, half_size(*used));
  const Digest digest(EVP_MD_CTX_new());
  EVP_PKEY_CTX* context = nullptr;
  if (!digest || der.empty() || EVP_DigestVerifyInit(digest.get(), &context, used->digest(), nullptr, key) != 1) {
    return false;
  }
  if (used->pss && (EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PSS_PADDING) != 1 ||
                    EVP_PKEY_CTX_set_rsa_pss_saltlen(context, RSA_PSS_SALTLEN_AUTO) != 1)) {
    return false;
  }
  return EVP_DigestVerify(digest.get(), bytes_of(der), der.size(), bytes_of(signed_part), signed_part.size()) == 1;
}

std::string signed_jwt(const Object& claims, EVP_PKEY* key) {
  const Algorithm* used = algorithm_for(key, {});
  if (used == nullptr) return {};
  const Object header{{"alg", used->name}, {"kid", key_id_of(key)}};
  const std::string token = base64url_encode(header.dump()) + "." + base64url_encode(claims.dump());
  const Digest digest(EVP_MD_CTX_new());
  std::size_t size = 0;
  if (!digest || EVP_DigestSignInit(digest.get(), nullptr, used->digest(), nullptr, key) != 1 ||
      EVP_DigestSign(digest.get(), nullptr, &size, bytes_of(token), token.size()) != 1) {
    return {};
  }
  std::string signature(size, '\0');
  if (EVP_DigestSign(digest.get(), reinterpret_cast<unsigned char*>(signature.data()), &size, bytes_of(token),
                     token.size()) != 1) {
    return {};
  }
  signature.resize(size);
  if (used->key_bits != 0) signature = from_der(signature, half_size(*used));
  return token + "." + base64url_encode(signature);
}

Object web_key_of(EVP_PKEY* key) {
  const Algorithm* used = algorithm_for(key, {});
  if (used == nullptr) return nullptr;
  Object out = {{"use", "sig"}, {"kty", used->key_type}, {"kid", key_id_of(key)}, {"alg", used->name}};
  if (used->key_bits == 0) {
    out["n"] = number_of(key, OSSL_PKEY_PARAM_RSA_N, 0);
    out["e"] = number_of(key, OSSL_PKEY_PARAM_RSA_E, 0);
  } else {
    out["crv"] = "P-" + std::to_string(used->key_bits);
    out["x"] = number_of(key, OSSL_PKEY_PARAM_EC_PUB_X, half_size(*used));
    out["y"] = number_of(key, OSSL_PKEY_PARAM_EC_PUB_Y, half_size(*used));
  }
  return out;
}

std::string key_id_of(EVP_PKEY* key) {
  unsigned char* der = nullptr;
  const int size = i2d_PUBKEY(key, &der);
  if (size <= 0) return {};
  const std::string digest = sha256({reinterpret_cast<const char*>(der), static_cast<std::size_t>(size)});
  OPENSSL_free(der);
  return base64url_encode(digest);
}

}  // namespace nodebound::authentication
