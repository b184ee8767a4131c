#include "fakes/authentication/client_certificates.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <limits>
#include <mutex>
#include <openssl/err.h>
#include <openssl/sha.h>
#include <openssl/x509v3.h>

#include "fakes/authentication/openssl.h"

namespace nodebound {
namespace {

using openssl::Certificate;
using Store = std::unique_ptr<X509_STORE, openssl::Deleter<X509_STORE_free>>;
using StoreContext = std::unique_ptr<X509_STORE_CTX, openssl::Deleter<X509_STORE_CTX_free>>;

constexpr std::size_t kMostKnown = 20'000;
constexpr const char* kUidOid = "1.3.6.1.4.1.57683.2";

Certificate from_der(const std::string& der) {
  const auto* in = reinterpret_cast<const unsigned char*>(der.data());
  return Certificate(d2i_X509(nullptr, &in, static_cast<long>(der.size())));
}

std::int64_t time_of(const ASN1_TIME* time) {
  std::tm parts{};
  return ASN1_TIME_to_tm(time, &parts) == 1 ? timegm(&parts) : 0;
}

std::string value_of(const X509_NAME_ENTRY* entry) {
  unsigned char* utf8 = nullptr;
  const int size = ASN1_STRING_to_UTF8(&utf8, X509_NAME_ENTRY_get_data(entry));
  if (size < 0) return {};
  std::string out(reinterpret_cast<const char*>(utf8), static_cast<std::size_t>(size));
  OPENSSL_free(utf8);
  return out;
}

std::string oid_of(const X509_NAME_ENTRY* entry) {
  std::array<char, 80> oid{};
  OBJ_obj2txt(oid.data(), oid.size(), X509_NAME_ENTRY_get_object(entry), 1);
  return oid.data();
}

std::string fingerprint(const std::string& der) {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
  SHA256(reinterpret_cast<const unsigned char*>(der.data()), der.size(), digest.data());
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string out;
  for (const unsigned char byte : digest) out += {kHex[byte >> 4U], kHex[byte & 15U]};
  return out;
}

/// Every certificate of a chain that limits its use must allow clients'.
bool is_for_clients(STACK_OF(X509) * chain) {
  for (int i = 0; i < sk_X509_num(chain); ++i) {
    if ((X509_get_extended_key_usage(sk_X509_value(chain, i)) & (XKU_SSL_CLIENT | XKU_ANYEKU)) == 0) return false;
  }
  return true;
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
    subject.extra["authentication.kubernetes.io/credential-id"] = {"X509SHA256=" + fingerprint(der)};
  }
  return {std::move(subject), {}, {}};
}

/// The stack alone: what is on it has owners of its own.
struct FreeStack {
  void operator()(STACK_OF(X509) * stack) const { sk_X509_free(stack); }
};

}  // namespace

struct ClientCertificates::Trust {
  Store store;
};

ClientCertificates::ClientCertificates(std::unique_ptr<Trust> trust, const AuthenticationFeatures& features,
                                       Clock clock)
    : trust_(std::move(trust)), features_(features), clock_(std::move(clock)) {}

ClientCertificates::~ClientCertificates() = default;

Result<std::unique_ptr<ClientCertificates>> ClientCertificates::trusting(const std::string& authorities,
                                                                         const std::string& name,
                                                                         const AuthenticationFeatures& features,
                                                                         Clock clock) {
  const auto certificates = openssl::parse_certificates(name, authorities);
  if (!certificates) return tl::unexpected(certificates.error());
  auto trust = std::make_unique<Trust>();
  trust->store.reset(X509_STORE_new());
  if (!trust->store) return openssl::failure(name, "no memory for certificates");
  for (const Certificate& certificate : *certificates) X509_STORE_add_cert(trust->store.get(), certificate.get());
  ERR_clear_error();
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
  const std::unique_ptr<STACK_OF(X509), FreeStack> others(sk_X509_new_null());
  for (const std::string& der : chain) {
    certificates.push_back(from_der(der));
    if (!certificates.back()) return refused("x509: malformed certificate");
    if (certificates.size() > 1) sk_X509_push(others.get(), certificates.back().get());
  }
  const StoreContext context(X509_STORE_CTX_new());
  if (certificates.empty() || !context ||
      X509_STORE_CTX_init(context.get(), trust_->store.get(), certificates.front().get(), others.get()) != 1) {
    return refused("could not begin");
  }
  X509_VERIFY_PARAM* parameters = X509_STORE_CTX_get0_param(context.get());
  X509_VERIFY_PARAM_set_time(parameters, clock_());
  // Go takes any certificate of the file for a root, self-signed or not.
  X509_VERIFY_PARAM_set_flags(parameters, X509_V_FLAG_PARTIAL_CHAIN);
  if (X509_verify_cert(context.get()) != 1) {
    return refused(X509_verify_cert_error_string(X509_STORE_CTX_get_error(context.get())));
  }
  STACK_OF(X509)* verified = X509_STORE_CTX_get0_chain(context.get());
  if (!is_for_clients(verified)) return refused("x509: certificate specifies an incompatible key usage");
  Known known{named_by(certificates.front().get(), chain.front(), features_), 0,
              std::numeric_limits<std::int64_t>::max()};
  for (int i = 0; i < sk_X509_num(verified); ++i) {
    known.not_before = std::max(known.not_before, time_of(X509_get0_notBefore(sk_X509_value(verified, i))));
    known.not_after = std::min(known.not_after, time_of(X509_get0_notAfter(sk_X509_value(verified, i))));
  }
  return known;
}

}  // namespace nodebound
