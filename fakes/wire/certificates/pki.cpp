#include "fakes/wire/certificates/pki.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <memory>
#include <openssl/ec.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

#include "fakes/wire/certificates/digest.h"
#include "fakes/wire/certificates/openssl.h"

namespace nodebound {
namespace {

using openssl::Certificate;
using openssl::failure;
using openssl::Key;

Result<Key> make_key() {
  Key key(EVP_EC_gen("P-256"));
  if (!key) return failure({}, "could not make a P-256 key");
  return key;
}

/// Entries are added as raw UTF-8: OpenSSL's own check allows 64 characters, but node names may have 253.
bool add_entry(X509_NAME* name, int nid, const std::string& value) {
  return X509_NAME_add_entry_by_NID(name, nid, V_ASN1_UTF8STRING, reinterpret_cast<const unsigned char*>(value.data()),
                                    static_cast<int>(value.size()), -1, 0) == 1;
}

bool set_names(X509_NAME* name, const std::string& common_name, const std::vector<std::string>& organizations) {
  for (const std::string& organization : organizations) {
    if (!add_entry(name, NID_organizationName, organization)) return false;
  }
  return add_entry(name, NID_commonName, common_name);
}

bool add_extension(X509* certificate, X509* issuer, int nid, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  const std::unique_ptr<X509_EXTENSION, openssl::Deleter<X509_EXTENSION_free>> extension(
      X509V3_EXT_conf_nid(nullptr, &context, nid, value.c_str()));
  return extension && X509_add_ext(certificate, extension.get(), -1) == 1;
}

bool set_serial(X509* certificate) {
  std::array<unsigned char, 16> bytes{};
  if (RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) != 1) return false;
  const std::unique_ptr<BIGNUM, openssl::Deleter<BN_free>> number(
      BN_bin2bn(bytes.data(), static_cast<int>(bytes.size()), nullptr));
  return number && BN_to_ASN1_INTEGER(number.get(), X509_get_serialNumber(certificate)) != nullptr;
}

/// A certificate without names, extensions and signature.
Certificate blank_certificate(EVP_PKEY* key, const Validity& validity = {}) {
  Certificate certificate(X509_new());
  const bool made = certificate && X509_set_version(certificate.get(), X509_VERSION_3) == 1 &&
                    set_serial(certificate.get()) && X509_set_pubkey(certificate.get(), key) == 1 &&
                    X509_gmtime_adj(X509_getm_notBefore(certificate.get()), validity.from) != nullptr &&
                    X509_gmtime_adj(X509_getm_notAfter(certificate.get()), validity.to) != nullptr;
  return made ? std::move(certificate) : nullptr;
}

/// Ed25519 and Ed448 have a built-in digest and refuse any other.
const EVP_MD* digest_for(EVP_PKEY* key) {
  return EVP_PKEY_is_a(key, "ED25519") == 1 || EVP_PKEY_is_a(key, "ED448") == 1 ? nullptr : EVP_sha256();
}

bool is_ip_address(const std::string& name) {
  const std::unique_ptr<ASN1_OCTET_STRING, openssl::Deleter<ASN1_OCTET_STRING_free>> address(
      a2i_IPADDRESS(name.c_str()));
  return address != nullptr;
}

struct ExtensionsFree {
  void operator()(STACK_OF(X509_EXTENSION) * all) const { sk_X509_EXTENSION_pop_free(all, X509_EXTENSION_free); }
};

bool copy_alternative_names(X509_REQ* request, X509* certificate) {
  const std::unique_ptr<STACK_OF(X509_EXTENSION), ExtensionsFree> extensions(X509_REQ_get_extensions(request));
  const int at = X509v3_get_ext_by_NID(extensions.get(), NID_subject_alt_name, -1);
  return at < 0 || X509_add_ext(certificate, X509v3_get_ext(extensions.get(), at), -1) == 1;
}

struct NamedUsage {
  std::string_view name;  ///< in the certificates API
  const char* openssl;    ///< OpenSSL's name
  bool extended;
};

// pkg/controller/certificates/authority/policies.go
constexpr std::array<NamedUsage, 23> known_usages = {{{"signing", "digitalSignature", false},
                                                      {"digital signature", "digitalSignature", false},
                                                      {"content commitment", "nonRepudiation", false},
                                                      {"key encipherment", "keyEncipherment", false},
                                                      {"key agreement", "keyAgreement", false},
                                                      {"data encipherment", "dataEncipherment", false},
                                                      {"cert sign", "keyCertSign", false},
                                                      {"crl sign", "cRLSign", false},
                                                      {"encipher only", "encipherOnly", false},
                                                      {"decipher only", "decipherOnly", false},
                                                      {"any", "anyExtendedKeyUsage", true},
                                                      {"server auth", "serverAuth", true},
                                                      {"client auth", "clientAuth", true},
                                                      {"code signing", "codeSigning", true},
                                                      {"email protection", "emailProtection", true},
                                                      {"s/mime", "emailProtection", true},
                                                      {"ipsec end system", "ipsecEndSystem", true},
                                                      {"ipsec tunnel", "ipsecTunnel", true},
                                                      {"ipsec user", "ipsecUser", true},
                                                      {"timestamping", "timeStamping", true},
                                                      {"ocsp signing", "OCSPSigning", true},
                                                      {"microsoft sgc", "msSGC", true},
                                                      {"netscape sgc", "nsSGC", true}}};

// As an extension's text in OpenSSL's form; empty without any.
Result<std::string> usages_text(const std::vector<std::string>& usages, bool extended) {
  std::string out;
  for (const std::string& usage : usages) {
    const auto* const known = std::find_if(known_usages.begin(), known_usages.end(),
                                           [&](const NamedUsage& one) { return one.name == usage; });
    if (known == known_usages.end()) return failure("spec.usages", "there is no usage '" + usage + "'");
    if (known->extended == extended) out += std::string(out.empty() ? "" : ",") + known->openssl;
  }
  return extended || out.empty() ? out : "critical," + out;
}

std::string alternative_names(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names)
    out += (out.empty() ? "" : ",") + ((is_ip_address(name) ? "IP:" : "DNS:") + name);
  return out;
}

}  // namespace

struct CertificateAuthority::State {
  Certificate certificate;
  Key key;
  std::string pem;

  // In Go's order.
  bool complete(X509* leaf, const std::string& key_usage, const std::string& extended_usage,
                X509_REQ* request = nullptr) const {
    X509* issuer = certificate.get();
    return X509_set_issuer_name(leaf, X509_get_subject_name(issuer)) == 1 &&
           (key_usage.empty() || add_extension(leaf, issuer, NID_key_usage, key_usage)) &&
           (extended_usage.empty() || add_extension(leaf, issuer, NID_ext_key_usage, extended_usage)) &&
           add_extension(leaf, issuer, NID_basic_constraints, "critical,CA:FALSE") &&
           add_extension(leaf, issuer, NID_authority_key_identifier, "keyid,issuer") &&
           (request == nullptr || copy_alternative_names(request, leaf)) &&
           X509_sign(leaf, key.get(), digest_for(key.get())) > 0;
  }
};

CertificateAuthority::CertificateAuthority(std::unique_ptr<State> state) : state_(std::move(state)) {}
CertificateAuthority::CertificateAuthority(CertificateAuthority&&) noexcept = default;
CertificateAuthority& CertificateAuthority::operator=(CertificateAuthority&&) noexcept = default;
CertificateAuthority::~CertificateAuthority() = default;

const std::string& CertificateAuthority::certificate_pem() const {
  return state_->pem;
}

std::string CertificateAuthority::key_pem() const {
  return openssl::private_key_pem(state_->key.get());
}

Result<CertificateAuthority> CertificateAuthority::create(std::string_view common_name) {
  auto key = make_key();
  if (!key) return tl::unexpected(key.error());
  Certificate certificate = blank_certificate(key->get());
  X509* self = certificate.get();
  const bool made = self != nullptr && set_names(X509_get_subject_name(self), std::string(common_name), {}) &&
                    X509_set_issuer_name(self, X509_get_subject_name(self)) == 1 &&
                    add_extension(self, self, NID_basic_constraints, "critical,CA:TRUE") &&
                    add_extension(self, self, NID_key_usage, "critical,digitalSignature,keyCertSign,cRLSign") &&
                    add_extension(self, self, NID_subject_key_identifier, "hash") &&
                    X509_sign(self, key->get(), EVP_sha256()) > 0;
  if (!made) return failure({}, "could not make a certificate authority");
  std::string pem = openssl::to_pem(self);
  return CertificateAuthority(std::make_unique<State>(State{std::move(certificate), std::move(*key), std::move(pem)}));
}

Result<CertificateAuthority> CertificateAuthority::parse(const std::string& certificate_name,
                                                         const std::string& certificate_pem,
                                                         const std::string& key_name, const std::string& key_pem) {
  auto chain = openssl::parse_certificates(certificate_name, certificate_pem);
  if (!chain) return tl::unexpected(chain.error());
  auto key = openssl::parse_private_key(key_name, key_pem);
  if (!key) return tl::unexpected(key.error());

  Certificate certificate = std::move(chain->front());
  if (X509_check_ca(certificate.get()) == 0) {
    return input_error(certificate_name, "is not the certificate of an authority (CA:TRUE expected)",
                       "on a kubeadm cluster the authority of clients is /etc/kubernetes/pki/ca.crt");
  }
  if (X509_check_private_key(certificate.get(), key->get()) != 1) {
    return failure(key_name, "is not the key of the certificate in " + certificate_name);
  }
  std::string pem = openssl::to_pem(certificate.get());
  return CertificateAuthority(std::make_unique<State>(State{std::move(certificate), std::move(*key), std::move(pem)}));
}

Result<IssuedCertificate> CertificateAuthority::issue_client(const Subject& subject, const Validity& validity) const {
  const auto key = make_key();
  if (!key) return tl::unexpected(key.error());
  const Certificate leaf = blank_certificate(key->get(), validity);
  if (!leaf || !set_names(X509_get_subject_name(leaf.get()), subject.name, subject.groups) ||
      !state_->complete(leaf.get(), "critical,digitalSignature", "clientAuth")) {
    return failure({}, "could not issue a client certificate for '" + subject.name + "'");
  }
  return IssuedCertificate{openssl::to_pem(leaf.get()), openssl::traditional_key_pem(key->get())};
}

Result<IssuedCertificate> CertificateAuthority::issue_server(const std::vector<std::string>& names) const {
  if (names.empty()) return input_error({}, "a server certificate needs at least one name");
  const auto key = make_key();
  if (!key) return tl::unexpected(key.error());
  const Certificate leaf = blank_certificate(key->get());
  if (!leaf || !set_names(X509_get_subject_name(leaf.get()), names.front(), {}) ||
      !add_extension(leaf.get(), state_->certificate.get(), NID_subject_alt_name, alternative_names(names)) ||
      !state_->complete(leaf.get(), "critical,digitalSignature", "serverAuth")) {
    return failure({}, "could not issue a server certificate for '" + names.front() + "'");
  }
  return IssuedCertificate{openssl::to_pem(leaf.get()), openssl::traditional_key_pem(key->get())};
}

Result<std::string> CertificateAuthority::sign_request(std::string_view request_pem,
                                                       const CertificateTerms& terms) const {
  const auto request = openssl::parse_certificate_request("certificate request", request_pem);
  if (!request) return tl::unexpected(request.error());
  EVP_PKEY* key = X509_REQ_get0_pubkey(request->get());
  if (key == nullptr || X509_REQ_verify(request->get(), key) != 1) {
    return failure("certificate request", "is not signed with the key that it carries");
  }
  const Result<std::string> key_usage = usages_text(terms.usages, false);
  if (!key_usage) return key_usage;
  const Result<std::string> extended_usage = usages_text(terms.usages, true);
  const Certificate leaf = blank_certificate(key, terms.validity);
  if (!leaf || X509_set_subject_name(leaf.get(), X509_REQ_get_subject_name(request->get())) != 1 ||
      !state_->complete(leaf.get(), *key_usage, *extended_usage, request->get())) {
    return failure("certificate request", "could not be signed");
  }
  return openssl::to_pem(leaf.get());
}

std::int64_t CertificateAuthority::end() const {
  std::tm time{};
  return ASN1_TIME_to_tm(X509_get0_notAfter(state_->certificate.get()), &time) == 1 ? timegm(&time) : 0;
}

std::vector<std::string> apiserver_names() {
  return {"127.0.0.1",
          "::1",
          "localhost",
          "kubernetes",
          "kubernetes.default",
          "kubernetes.default.svc",
          "kubernetes.default.svc.cluster.local"};
}

Result<KeyPair> make_service_account_keys() {
  const auto key = make_key();
  if (!key) return tl::unexpected(key.error());
  return KeyPair{openssl::private_key_pem(key->get()), openssl::public_key_pem(key->get())};
}

Result<SigningRequest> make_signing_request(const std::string& common_name,
                                            const std::vector<std::string>& organizations) {
  const auto key = make_key();
  if (!key) return tl::unexpected(key.error());
  const openssl::CertificateRequest request(X509_REQ_new());
  const bool made = request && X509_REQ_set_version(request.get(), X509_REQ_VERSION_1) == 1 &&
                    set_names(X509_REQ_get_subject_name(request.get()), common_name, organizations) &&
                    X509_REQ_set_pubkey(request.get(), key->get()) == 1 &&
                    X509_REQ_sign(request.get(), key->get(), EVP_sha256()) > 0;
  if (!made) return failure({}, "could not make a certificate request for '" + common_name + "'");
  return SigningRequest{openssl::to_pem(request.get()), openssl::private_key_pem(key->get())};
}

Result<std::string> make_csr(const std::string& common_name, const std::vector<std::string>& organizations) {
  auto request = make_signing_request(common_name, organizations);
  if (!request) return tl::unexpected(request.error());
  return std::move(request->request_pem);
}

std::string fingerprint_of_certificates(std::string_view pem) {
  if (pem.empty()) return {};
  // Line breaks and comments in the PEM do not count. A text that cannot be parsed is hashed as it is.
  std::string bytes;
  const auto certificates = openssl::parse_certificates("", pem);
  if (!certificates) bytes = pem;
  for (std::size_t i = 0; certificates && i < certificates->size(); ++i)
    bytes += openssl::to_pem((*certificates)[i].get());
  return sha256_hex(bytes);
}

Result<Possession> prove_possession(std::string_view text) {
  constexpr std::size_t seed_size = 32;
  static constexpr std::array<unsigned char, seed_size> seed = {};
  const openssl::Key key(EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nullptr, seed.data(), seed.size()));
  if (!key) return openssl::failure("", "cannot make a key");
  Possession possession;
  unsigned char* encoded = nullptr;
  const int size = i2d_PUBKEY(key.get(), &encoded);
  if (size <= 0) return openssl::failure("", "cannot encode a key");
  possession.public_key.assign(reinterpret_cast<const char*>(encoded), static_cast<std::size_t>(size));
  OPENSSL_free(encoded);

  const std::unique_ptr<EVP_MD_CTX, openssl::Deleter<EVP_MD_CTX_free>> context(EVP_MD_CTX_new());
  std::array<unsigned char, 64> signature{};
  std::size_t length = signature.size();
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  if (EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, key.get()) != 1 ||
      EVP_DigestSign(context.get(), signature.data(), &length, bytes, text.size()) != 1) {
    return openssl::failure("", "cannot sign");
  }
  possession.signature.assign(reinterpret_cast<const char*>(signature.data()), length);
  return possession;
}

}  // namespace nodebound
