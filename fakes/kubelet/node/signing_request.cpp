#include "fakes/kubelet/node/signing_request.h"

#include <array>
#include <cstring>
#include <ctime>
#include <memory>
#include <openssl/x509v3.h>

#include "fakes/wire/certificates/openssl.h"

namespace nodebound::fake_kubelet {
namespace {

openssl::Key key_of(std::uint64_t seed, bool serving) {
  std::array<unsigned char, 32> bytes{};
  std::memcpy(bytes.data(), &seed, sizeof seed);
  bytes.back() = serving ? 1 : 0;
  return openssl::Key(EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nullptr, bytes.data(), bytes.size()));
}

bool add_name(X509_NAME* name, int nid, const std::string& value) {
  return X509_NAME_add_entry_by_NID(name, nid, V_ASN1_UTF8STRING, reinterpret_cast<const unsigned char*>(value.data()),
                                    static_cast<int>(value.size()), -1, 0) == 1;
}

// A serving certificate needs a name or address by which clients reach the node.
bool add_host_name(X509_REQ* request, const std::string& node) {
  using Extension = std::unique_ptr<X509_EXTENSION, openssl::Deleter<X509_EXTENSION_free>>;
  const Extension extension(X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, ("DNS:" + node).c_str()));
  if (!extension) return false;
  STACK_OF(X509_EXTENSION)* const extensions = sk_X509_EXTENSION_new_null();
  sk_X509_EXTENSION_push(extensions, extension.get());
  const bool added = X509_REQ_add_extensions(request, extensions) == 1;
  sk_X509_EXTENSION_free(extensions);
  return added;
}

}  // namespace

std::string fake_signing_request(const CertificateOrder& order, std::uint64_t seed) {
  const openssl::Key key = key_of(seed, order.serving);
  const openssl::CertificateRequest request(X509_REQ_new());
  X509_NAME* const name = request ? X509_REQ_get_subject_name(request.get()) : nullptr;
  const bool made = key && name != nullptr && X509_REQ_set_version(request.get(), X509_REQ_VERSION_1) == 1 &&
                    add_name(name, NID_organizationName, "system:nodes") &&
                    add_name(name, NID_commonName, "system:node:" + order.node) &&
                    X509_REQ_set_pubkey(request.get(), key.get()) == 1 &&
                    (!order.serving || add_host_name(request.get(), order.node)) &&
                    X509_REQ_sign(request.get(), key.get(), nullptr) > 0;
  return made ? openssl::to_pem(request.get()) : std::string();
}

std::optional<KubeletTime> end_of_certificate(const std::string& pem) {
  const auto chain = openssl::parse_certificates("certificate", pem);
  if (!chain) return std::nullopt;
  std::tm end{};
  if (ASN1_TIME_to_tm(X509_get0_notAfter(chain->front().get()), &end) != 1) return std::nullopt;
  return KubeletTime(std::chrono::seconds(timegm(&end)));
}

}  // namespace nodebound::fake_kubelet
