#pragma once

#include <memory>
#include <openssl/evp.h>
#include <openssl/x509.h>
#include <string>
#include <string_view>
#include <vector>

#include "reference/result.h"

/// OpenSSL's objects as values with an owner, and their PEM forms, for code that makes or reads certificates and keys.
namespace nodebound::openssl {

template <auto Free>
struct Deleter {
  template <typename T>
  void operator()(T* object) const {
    Free(object);
  }
};

using Certificate = std::unique_ptr<X509, Deleter<X509_free>>;
using CertificateRequest = std::unique_ptr<X509_REQ, Deleter<X509_REQ_free>>;
using Key = std::unique_ptr<EVP_PKEY, Deleter<EVP_PKEY_free>>;
using Memory = std::unique_ptr<BIO, Deleter<BIO_free_all>>;

/// An error with OpenSSL's own reason; it also empties OpenSSL's error queue.
tl::unexpected<Error> failure(std::string where, const std::string& what);

/// All certificates of a PEM text, at least one.
Result<std::vector<Certificate>> parse_certificates(const std::string& where, std::string_view pem);
/// Refuses encrypted keys rather than asking for a password at the terminal.
Result<Key> parse_private_key(const std::string& where, std::string_view pem);
/// All public keys of a PEM text, at least one; of a private key, its public half.
Result<std::vector<Key>> parse_public_keys(const std::string& where, std::string_view pem);
Result<CertificateRequest> parse_certificate_request(const std::string& where, std::string_view pem);

std::string to_pem(X509* certificate);
std::string to_pem(X509_REQ* request);
std::string private_key_pem(EVP_PKEY* key);
/// The same in the form that all client libraries read: fabric8's Java client takes every key in PKCS #8 for an RSA
/// key.
std::string traditional_key_pem(EVP_PKEY* key);
std::string public_key_pem(EVP_PKEY* key);

}  // namespace nodebound::openssl
