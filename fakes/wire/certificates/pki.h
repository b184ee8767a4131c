#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "reference/identity/subject.h"
#include "reference/result.h"

namespace nodebound {

/// A certificate and the private key that belongs to it, both in PEM.
struct IssuedCertificate {
  std::string certificate_pem;
  std::string key_pem;
};

/// A PKCS#10 certificate signing request and the private key that signed it, both in PEM.
struct SigningRequest {
  std::string request_pem;
  std::string key_pem;
};

/// A key pair that signs and verifies service-account tokens, both halves in PEM.
struct KeyPair {
  std::string private_pem;
  std::string public_pem;
};

/// The validity of a certificate, in seconds from now. It is backdated, because the cluster's clock may be behind ours.
struct Validity {
  std::int64_t from = -5L * 60;
  std::int64_t to = 7L * 24 * 60 * 60;
};

/// What a certificate is for, in the words of the certificates API, and when it is valid.
struct CertificateTerms {
  std::vector<std::string> usages = {"digital signature", "client auth"};
  Validity validity = {};
};

/// Issues certificates with P-256 keys that live in memory only. Thread-safe once constructed.
class CertificateAuthority {
 public:
  /// A new self-signed authority.
  static Result<CertificateAuthority> create(std::string_view common_name);
  /// An authority that a cluster already trusts. Fails if the certificate is no authority or the key does not belong to
  /// it. Errors use these names for the texts.
  static Result<CertificateAuthority> parse(const std::string& certificate_name, const std::string& certificate_pem,
                                            const std::string& key_name, const std::string& key_pem);

  CertificateAuthority(CertificateAuthority&&) noexcept;
  CertificateAuthority& operator=(CertificateAuthority&&) noexcept;
  ~CertificateAuthority();

  [[nodiscard]] const std::string& certificate_pem() const;
  [[nodiscard]] std::string key_pem() const;

  /// A certificate for `subject` as API servers read it: CN is the name, each O one group. A certificate carries
  /// neither uid nor extra.
  [[nodiscard]] Result<IssuedCertificate> issue_client(const Subject& subject, const Validity& validity = {}) const;
  /// `names` are DNS names or IP addresses; the first is also the CN.
  [[nodiscard]] Result<IssuedCertificate> issue_server(const std::vector<std::string>& names) const;
  /// A certificate, in PEM, with the subject, the subjectAltNames and the key of a PKCS#10 request.
  [[nodiscard]] Result<std::string> sign_request(std::string_view request_pem,
                                                 const CertificateTerms& terms = {}) const;

  /// When its own certificate ends, in seconds since 1970.
  [[nodiscard]] std::int64_t end() const;

 private:
  struct State;
  explicit CertificateAuthority(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// The names under which clients reach an API server: on loopback and from inside a cluster.
std::vector<std::string> apiserver_names();

Result<KeyPair> make_service_account_keys();

Result<SigningRequest> make_signing_request(const std::string& common_name,
                                            const std::vector<std::string>& organizations);

/// A public test key for requests that must prove possession of a key: its public half as DER, and its signature of a
/// text. The same in every run.
struct Possession {
  std::string public_key;
  std::string signature;
};
Result<Possession> prove_possession(std::string_view text);

/// SHA-256 of the certificates of a PEM text, in hexadecimal; empty for an empty text.
std::string fingerprint_of_certificates(std::string_view pem);

/// The request of make_signing_request(), for callers that never use the certificate.
Result<std::string> make_csr(const std::string& common_name, const std::vector<std::string>& organizations);

}  // namespace nodebound
