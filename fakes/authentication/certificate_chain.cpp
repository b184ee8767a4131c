#include "fakes/authentication/certificate_chain.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <openssl/x509v3.h>
#include <optional>

namespace nodebound::authentication {
namespace {

/// How many signatures Go checks before it gives up, so that a hostile chain cannot take for ever.
constexpr int kMostSignatures = 100;
constexpr int kShortestRsa = 1024;
constexpr int kLongestRsa = 8192;
constexpr long kVersion3 = 2;

using Constraints = std::unique_ptr<BASIC_CONSTRAINTS, openssl::Deleter<BASIC_CONSTRAINTS_free>>;
using Names = std::unique_ptr<NAME_CONSTRAINTS, openssl::Deleter<NAME_CONSTRAINTS_free>>;
using Usage = std::unique_ptr<ASN1_BIT_STRING, openssl::Deleter<ASN1_BIT_STRING_free>>;
using Purposes = std::unique_ptr<EXTENDED_KEY_USAGE, openssl::Deleter<EXTENDED_KEY_USAGE_free>>;

using PolicyConstraints = std::unique_ptr<POLICY_CONSTRAINTS, openssl::Deleter<POLICY_CONSTRAINTS_free>>;

struct FreeStack {
  void operator()(STACK_OF(X509) * stack) const { sk_X509_free(stack); }
};

/// An extension; null if there is none. Certificates before version 3 have none, whatever their bytes contain.
template <typename Owner>
Owner extension(const X509* certificate, int kind) {
  if (X509_get_version(certificate) != kVersion3) return nullptr;
  return Owner(static_cast<typename Owner::pointer>(X509_get_ext_d2i(certificate, kind, nullptr, nullptr)));
}

bool is_limitable(int type) {
  return type == GEN_DNS || type == GEN_EMAIL || type == GEN_URI || type == GEN_IPADD;
}

bool all_limitable(const STACK_OF(GENERAL_SUBTREE) * trees) {
  for (int i = 0; i < sk_GENERAL_SUBTREE_num(trees); ++i) {
    if (!is_limitable(sk_GENERAL_SUBTREE_value(trees, i)->base->type)) return false;
  }
  return true;
}

/// Whether Go handles a critical extension.
bool is_handled(const X509* certificate, int kind) {
  constexpr std::array<int, 9> handled{
      NID_key_usage,         NID_basic_constraints,    NID_subject_alt_name, NID_crl_distribution_points,
      NID_ext_key_usage,     NID_certificate_policies, NID_policy_mappings,  NID_policy_constraints,
      NID_inhibit_any_policy};
  if (kind != NID_name_constraints) return std::find(handled.begin(), handled.end(), kind) != handled.end();
  const auto names = extension<Names>(certificate, NID_name_constraints);
  return names && all_limitable(names->permittedSubtrees) && all_limitable(names->excludedSubtrees);
}

bool demands_what_is_unknown(const X509* certificate) {
  if (X509_get_version(certificate) != kVersion3) return false;
  for (int i = 0; i < X509_get_ext_count(certificate); ++i) {
    X509_EXTENSION* each = X509_get_ext(certificate, i);
    if (X509_EXTENSION_get_critical(each) == 0) continue;
    if (!is_handled(certificate, OBJ_obj2nid(X509_EXTENSION_get_object(each)))) return true;
  }
  return false;
}

/// What is wrong with a certificate at its place in the chain; `below` counts the certificates below it.
std::string invalid(const X509* certificate, std::size_t below, std::int64_t now) {
  if (demands_what_is_unknown(certificate)) return "x509: unhandled critical extension";
  if (now < seconds_of(X509_get0_notBefore(certificate)) || now > seconds_of(X509_get0_notAfter(certificate))) {
    return "x509: certificate has expired or is not yet valid";
  }
  const auto basic = extension<Constraints>(certificate, NID_basic_constraints);
  if (basic && basic->pathlen != nullptr && below > 0) {
    const std::int64_t most = ASN1_INTEGER_get(basic->pathlen);
    if (most >= 0 && static_cast<std::int64_t>(below) - 1 > most)
      return "x509: too many intermediates for path length constraint";
  }
  return {};
}

bool is_authority(const X509* certificate) {
  const auto basic = extension<Constraints>(certificate, NID_basic_constraints);
  return basic && basic->ca != 0;
}

bool may_sign(const X509* certificate) {
  if (X509_get_version(certificate) == kVersion3 && !is_authority(certificate)) return false;
  const auto usage = extension<Usage>(certificate, NID_key_usage);
  constexpr int cert_sign = 5;
  const bool says_nothing =
      !usage || std::all_of(usage->data, usage->data + usage->length, [](auto each) { return each == 0; });
  return says_nothing || ASN1_BIT_STRING_get_bit(usage.get(), cert_sign) == 1;
}

bool is_usable(EVP_PKEY* key) {
  if (key == nullptr) return false;
  if (EVP_PKEY_is_a(key, "ED25519") == 1) return true;
  if (EVP_PKEY_is_a(key, "RSA") == 1) {
    return EVP_PKEY_get_bits(key) >= kShortestRsa && EVP_PKEY_get_bits(key) <= kLongestRsa;
  }
  if (EVP_PKEY_is_a(key, "EC") != 1) return false;
  std::array<char, 40> name{};
  std::size_t size = 0;
  EVP_PKEY_get_group_name(key, name.data(), name.size(), &size);
  constexpr std::array<int, 4> curves{NID_secp224r1, NID_X9_62_prime256v1, NID_secp384r1, NID_secp521r1};
  return std::find(curves.begin(), curves.end(), OBJ_txt2nid(name.data())) != curves.end();
}

std::string not_signed(X509* certificate, X509* parent) {
  if (!may_sign(parent)) return "x509: invalid signature: parent certificate cannot sign this kind of certificate";
  int digest = NID_undef;
  int key_kind = NID_undef;
  std::uint32_t flags = 0;
  const bool known = X509_get_signature_info(certificate, &digest, &key_kind, nullptr, &flags) == 1;
  const bool is_strong =
      digest == NID_sha256 || digest == NID_sha384 || digest == NID_sha512 || key_kind == NID_ED25519;
  if (!known || !is_strong) return "x509: cannot verify signature: insecure algorithm";
  EVP_PKEY* key = X509_get0_pubkey(parent);
  if (!is_usable(key)) return "x509: cannot verify signature: algorithm unimplemented";
  return X509_verify(certificate, key) == 1 ? "" : "x509: the signature is not the parent's";
}

bool same_names(const X509* one, const X509* other) {
  const int at = X509_get_ext_by_NID(one, NID_subject_alt_name, -1);
  const int other_at = X509_get_ext_by_NID(other, NID_subject_alt_name, -1);
  if (at < 0 || other_at < 0) return at < 0 && other_at < 0;
  return ASN1_OCTET_STRING_cmp(X509_EXTENSION_get_data(X509_get_ext(one, at)),
                               X509_EXTENSION_get_data(X509_get_ext(other, other_at))) == 0;
}

bool is_same(const X509* one, const X509* other) {
  return X509_NAME_cmp(X509_get_subject_name(one), X509_get_subject_name(other)) == 0 &&
         EVP_PKEY_eq(X509_get0_pubkey(one), X509_get0_pubkey(other)) == 1 && same_names(one, other);
}

/// Names are compared byte by byte, not by their meaning.
bool is_issued_by(const X509* certificate, const X509* parent) {
  const auto bytes_of = [](const X509_NAME* name) {
    const unsigned char* der = nullptr;
    std::size_t size = 0;
    X509_NAME_get0_der(name, &der, &size);
    return std::string_view(reinterpret_cast<const char*>(der), size);
  };
  return bytes_of(X509_get_issuer_name(certificate)) == bytes_of(X509_get_subject_name(parent));
}

/// Whether every certificate with an extended key usage allows client authentication.
bool is_for_clients(const X509* certificate) {
  const auto purposes = extension<Purposes>(certificate, NID_ext_key_usage);
  if (!purposes || sk_ASN1_OBJECT_num(purposes.get()) == 0) return true;
  for (int i = 0; i < sk_ASN1_OBJECT_num(purposes.get()); ++i) {
    const int kind = OBJ_obj2nid(sk_ASN1_OBJECT_value(purposes.get(), i));
    if (kind == NID_client_auth || kind == NID_anyExtendedKeyUsage) return true;
  }
  return false;
}

void leave_limitable(STACK_OF(GENERAL_SUBTREE) * trees) {
  for (int i = sk_GENERAL_SUBTREE_num(trees) - 1; i >= 0; --i) {
    if (is_limitable(sk_GENERAL_SUBTREE_value(trees, i)->base->type)) continue;
    GENERAL_SUBTREE_free(sk_GENERAL_SUBTREE_delete(trees, i));
  }
}

bool keeps_to_names(const std::vector<X509*>& chain) {
  for (std::size_t i = 1; i < chain.size(); ++i) {
    const auto names = extension<Names>(chain[i], NID_name_constraints);
    if (!names) continue;
    leave_limitable(names->permittedSubtrees);
    leave_limitable(names->excludedSubtrees);
    for (std::size_t below = 0; below < i; ++below) {
      if (X509_get_ext_by_NID(chain[below], NID_subject_alt_name, -1) < 0) continue;
      if (NAME_CONSTRAINTS_check(chain[below], names.get()) != X509_V_OK) return false;
    }
  }
  return true;
}

bool has_policies(const X509* certificate) {
  return X509_get_ext_by_NID(certificate, NID_certificate_policies, -1) >= 0;
}

/// Whether a certificate below the root requires the first to have a valid policy: RFC 5280, 6.1.4 (h) and (i), 6.1.5
/// (a) and (b).
bool demands_a_policy(const std::vector<X509*>& chain) {
  auto left = static_cast<std::int64_t>(chain.size());
  for (std::size_t i = chain.size() - 1; i-- > 0;) {
    const X509* each = chain[i];
    const bool names_itself = X509_NAME_cmp(X509_get_subject_name(each), X509_get_issuer_name(each)) == 0;
    if ((i == 0 || !names_itself) && left > 0) --left;
    const auto constraints = extension<PolicyConstraints>(each, NID_policy_constraints);
    if (!constraints || constraints->requireExplicitPolicy == nullptr) continue;
    const std::int64_t demanded = ASN1_INTEGER_get(constraints->requireExplicitPolicy);
    if (i > 0 || demanded == 0) left = std::min(left, demanded);
  }
  return left == 0;
}

bool keeps_to_policies(const std::vector<X509*>& chain) {
  if (chain.size() == 1) return true;
  // Below a certificate without policies no policy is valid. X509_policy_check of OpenSSL 3.0 finds this, too, but
  // leaks that certificate's policy constraints.
  if (!std::all_of(chain.begin(), chain.end() - 1, has_policies)) return !demands_a_policy(chain);
  const std::unique_ptr<STACK_OF(X509), FreeStack> stack(sk_X509_new_null());
  for (X509* each : chain) sk_X509_push(stack.get(), each);
  X509_POLICY_TREE* tree = nullptr;
  int is_explicit = 0;
  const int result = X509_policy_check(&tree, &is_explicit, stack.get(), nullptr, 0);
  X509_policy_tree_free(tree);
  return result == 1;
}

class Search {
 public:
  Search(const std::vector<X509*>& others, const std::vector<X509*>& trusted, std::int64_t now)
      : others_(others), trusted_(trusted), now_(now) {}

  CertificateChain from(X509* own) {
    std::vector<X509*> chain{own};
    note(invalid(own, 0, now_));
    if (!error_.empty()) return {{}, error_};
    const auto is_own = [&](const X509* each) { return X509_cmp(each, own) == 0; };
    const bool found = std::any_of(trusted_.begin(), trusted_.end(), is_own) ? is_good(chain) : extend(chain);
    if (!found) return {{}, error_.empty() ? "x509: certificate signed by unknown authority" : error_};
    return {std::move(chain), {}};
  }

 private:
  void note(std::string error) {
    if (error_.empty()) error_ = std::move(error);
  }

  bool is_good(const std::vector<X509*>& chain) {
    if (!keeps_to_policies(chain)) return note("x509: no valid chains built: invalid policies"), false;
    if (!std::all_of(chain.begin(), chain.end(), is_for_clients)) {
      return note("x509: certificate specifies an incompatible key usage"), false;
    }
    if (!keeps_to_names(chain))
      return note("x509: a root or intermediate certificate is not authorized for this name"), false;
    return true;
  }

  /// Extends the chain towards a root; true once it ends in a root and is valid.
  bool extend(std::vector<X509*>& chain) {
    return add_one_of(trusted_, true, chain) || add_one_of(others_, false, chain);
  }

  bool add_one_of(const std::vector<X509*>& parents, bool are_roots, std::vector<X509*>& chain) {
    for (X509* parent : parents) {
      if (!is_issued_by(chain.back(), parent)) continue;
      if (++signatures_ > kMostSignatures) return false;
      const auto is_parent = [&](const X509* each) { return is_same(each, parent); };
      if (std::any_of(chain.begin(), chain.end(), is_parent)) continue;
      std::string wrong = not_signed(chain.back(), parent);
      if (wrong.empty()) wrong = invalid(parent, chain.size(), now_);
      if (wrong.empty() && !are_roots && !is_authority(parent))
        wrong = "x509: certificate is not authorized to sign other certificates";
      if (!wrong.empty()) {
        note(std::move(wrong));
        continue;
      }
      chain.push_back(parent);
      if (are_roots ? is_good(chain) : extend(chain)) return true;
      chain.pop_back();
    }
    return false;
  }

  const std::vector<X509*>& others_;
  const std::vector<X509*>& trusted_;
  std::int64_t now_;
  int signatures_ = 0;
  std::string error_;
};

}  // namespace

std::int64_t seconds_of(const ASN1_TIME* time) {
  std::tm parts{};
  return ASN1_TIME_to_tm(time, &parts) == 1 ? timegm(&parts) : 0;
}

CertificateChain client_chain(X509* own, const std::vector<X509*>& others, const std::vector<X509*>& trusted,
                              std::int64_t now) {
  return Search(others, trusted, now).from(own);
}

}  // namespace nodebound::authentication
