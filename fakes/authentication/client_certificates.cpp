#include "fakes/authentication/client_certificates.h"

#include <algorithm>
#include <array>
#include <limits>
#include <mutex>
#include <openssl/err.h>
#include <openssl/sha.h>
#include <openssl/x509v3.h>

#include "fakes/authentication/certificate_chain.h"
#include "fakes/wire/certificates/digest.h"
#include "fakes/wire/certificates/openssl.h"

namespace nodebound::authentication {
namespace {

using openssl::Certificate;

constexpr std::size_t kMostKnown = 20'000;
constexpr const char* kUidOid = "1.3.6.1.4.1.57683.2";

Certificate from_der(const std::string& der) {
  const auto* in = reinterpret_cast<const unsigned char*>(der.data());
  return Certificate(d2i_X509(nullptr, &in, static_cast<long>(der.size())));
}

std::string value_of(const X509_NAME_ENTRY* entry) {
  unsigned char* utf8 = nullptr;
  const int size = ASN1_STRING_to_UTF8(&utf8, X509_NAME_ENTRY_get_data(entry));
  if (size < 0) return {};
  std::string out(reinterpret_cast<const char*>(utf8), static_cast<std::size_t>(size));
  OPENSSL_free(utf8);
  // Go drops a zero at the end of such a text.
  if (ASN1_STRING_type(X509_NAME_ENTRY_get_data(entry)) == V_ASN1_BMPSTRING && out.ends_with('\0')) out.pop_back();
  return out;
}

std::string oid_of(const X509_NAME_ENTRY* entry) {
  std::array<char, 80> oid{};
  OBJ_obj2txt(oid.data(), oid.size(), X509_NAME_ENTRY_get_object(entry), 1);
  return oid.data();
}

Authentication named_by(X509* certificate, const std::string& der, const AuthenticationFeatures& features) {
  const X509_NAME* name = X509_get_subject_name(certificate);
  Subject subject;
  std::vector<std::string> uids;
  for (int i = 0; i < X509_NAME_entry_count(name); ++i) {
    const X509_NAME_ENTRY* entry = X509_NAME_get_entry(name, i);
    const int kind = OBJ_obj2nid(X509_NAME_ENTRY_get_object(entry));
    if (kind == NID_commonName) subject.name = value_of(entry);
    if (kind == NID_organizationName) subject.groups.push_back(value_of(entry));
    if (features.certificate_has_uid && oid_of(entry) == kUidOid) uids.push_back(value_of(entry));
  }
  if (subject.name.empty()) return Authentication::no_opinion();
  if (uids.size() > 1) return Authentication::failed("expected 1 UID, but found multiple");
  if (!uids.empty() && uids.front().empty()) return Authentication::failed("UID cannot be an empty string");
  if (!uids.empty()) subject.uid = uids.front();
  if (features.certificate_has_credential_id) {
    subject.extra["authentication.kubernetes.io/credential-id"] = {"X509SHA256=" + sha256_hex(der)};
  }
  return {std::move(subject), {}, {}};
}

}  // namespace

struct ClientCertificates::Trust {
  std::vector<Certificate> certificates;
  std::vector<X509*> all;  ///< the same
};

ClientCertificates::ClientCertificates(std::unique_ptr<Trust> trust, const AuthenticationFeatures& features,
                                       Clock clock)
    : trust_(std::move(trust)), features_(features), clock_(std::move(clock)) {}

ClientCertificates::~ClientCertificates() = default;

Result<std::unique_ptr<ClientCertificates>> ClientCertificates::trusting(const std::string& authorities,
                                                                         const std::string& name,
                                                                         const AuthenticationFeatures& features,
                                                                         Clock clock) {
  auto certificates = openssl::parse_certificates(name, authorities);
  if (!certificates) return tl::unexpected(certificates.error());
  auto trust = std::make_unique<Trust>();
  trust->certificates = std::move(*certificates);
  for (const Certificate& certificate : trust->certificates) trust->all.push_back(certificate.get());
  return std::unique_ptr<ClientCertificates>(new ClientCertificates(std::move(trust), features, std::move(clock)));
}

Authentication ClientCertificates::authenticate(const std::vector<std::string>& chain) const {
  const std::int64_t now = clock_();
  {
    const std::shared_lock lock(mutex_);
    const auto found = known_.find(chain);
    if (found != known_.end() && found->second.not_before <= now && now <= found->second.not_after) {
      return found->second.authentication;
    }
  }
  Known verified = verify(chain);
  ERR_clear_error();
  if (!verified.authentication.subject) return verified.authentication;
  const std::lock_guard lock(mutex_);
  if (known_.size() >= kMostKnown) known_.clear();
  return known_.insert_or_assign(chain, std::move(verified)).first->second.authentication;
}

ClientCertificates::Known ClientCertificates::verify(const std::vector<std::string>& chain) const {
  const auto refused = [](const std::string& why) {
    return Known{Authentication::failed("verifying certificate failed: " + why)};
  };
  std::vector<Certificate> certificates;
  std::vector<X509*> others;
  for (const std::string& der : chain) {
    certificates.push_back(from_der(der));
    if (!certificates.back()) return refused("x509: malformed certificate");
    if (certificates.size() > 1) others.push_back(certificates.back().get());
  }
  if (certificates.empty()) return refused("there is none");
  const CertificateChain verified = client_chain(certificates.front().get(), others, trust_->all, clock_());
  if (!verified.error.empty()) return refused(verified.error);
  Known known{named_by(certificates.front().get(), chain.front(), features_), 0,
              std::numeric_limits<std::int64_t>::max()};
  for (const X509* each : verified.certificates) {
    known.not_before = std::max(known.not_before, seconds_of(X509_get0_notBefore(each)));
    known.not_after = std::min(known.not_after, seconds_of(X509_get0_notAfter(each)));
  }
  return known;
}

}  // namespace nodebound::authentication
