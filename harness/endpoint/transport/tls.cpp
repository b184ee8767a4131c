#include "harness/endpoint/transport/tls.h"

#include <arpa/inet.h>
#include <array>
#include <openssl/x509v3.h>

#include "fakes/wire/certificates/digest.h"

namespace nodebound {
namespace {

using openssl::Certificate;

bool is_address(const std::string& host) {
  std::array<unsigned char, sizeof(in6_addr)> address{};
  return inet_pton(AF_INET, host.c_str(), address.data()) == 1 ||
         inet_pton(AF_INET6, host.c_str(), address.data()) == 1;
}

const std::string& name_of(const ServerAddress& server) {
  return server.server_name.empty() ? server.host : server.server_name;
}

/// Accepts only the pinned certificate. OpenSSL calls it before we send any credential.
int is_pinned(X509_STORE_CTX* shown, void* /*unused*/) {
  auto* session = static_cast<SSL*>(X509_STORE_CTX_get_ex_data(shown, SSL_get_ex_data_X509_STORE_CTX_idx()));
  auto* pin = static_cast<Pin*>(SSL_get_app_data(session));
  pin->seen = fingerprint_of(X509_STORE_CTX_get0_cert(shown));
  const bool pinned = pin->seen == pin->expected;
  X509_STORE_CTX_set_error(shown, pinned ? X509_V_OK : X509_V_ERR_CERT_REJECTED);
  return pinned ? 1 : 0;
}

/// Trusts only these authorities, or those of the system if none are given.
Result<void> trust(SSL_CTX* context, const ServerAddress& server) {
  if (!server.fingerprint.empty()) {
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nullptr);
    SSL_CTX_set_cert_verify_callback(context, &is_pinned, nullptr);
    return {};
  }
  if (server.ca_pem.empty()) {
    if (!server.skip_verification) SSL_CTX_set_default_verify_paths(context);
    return {};
  }
  const auto anchors = openssl::parse_certificates("certificate authority of " + url_of(server), server.ca_pem);
  if (!anchors) return tl::unexpected(anchors.error());
  X509_STORE* store = SSL_CTX_get_cert_store(context);
  for (const Certificate& anchor : *anchors) X509_STORE_add_cert(store, anchor.get());
  // As in Go, a listed certificate is trusted even if it is not a root.
  X509_STORE_set_flags(store, X509_V_FLAG_PARTIAL_CHAIN);
  return {};
}

Result<void> present(SSL_CTX* context, const Credentials& credentials) {
  if (credentials.certificate_pem.empty()) return {};
  const auto chain = openssl::parse_certificates("client certificate", credentials.certificate_pem);
  if (!chain) return tl::unexpected(chain.error());
  const auto key = openssl::parse_private_key("client key", credentials.key_pem);
  if (!key) return tl::unexpected(key.error());
  if (X509_check_private_key(chain->front().get(), key->get()) != 1) {
    return openssl::failure("client key", "is not the key of the client certificate");
  }
  if (SSL_CTX_use_certificate(context, chain->front().get()) != 1 || SSL_CTX_use_PrivateKey(context, key->get()) != 1) {
    return openssl::failure("client certificate", "cannot be presented");
  }
  for (std::size_t i = 1; i < chain->size(); ++i) SSL_CTX_add1_chain_cert(context, (*chain)[i].get());
  return {};
}

}  // namespace

Result<TlsContext> make_tls_context(const ServerAddress& server, const Credentials& credentials) {
  TlsContext context(SSL_CTX_new(TLS_client_method()));
  if (!context) return openssl::failure(url_of(server), "TLS cannot be set up");
  SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION);
  SSL_CTX_set_options(context.get(), SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
  // TLS sessions are not resumed: each connection starts a new one.
  SSL_CTX_set_session_cache_mode(context.get(), SSL_SESS_CACHE_OFF);
  SSL_CTX_set_verify(context.get(), server.skip_verification ? SSL_VERIFY_NONE : SSL_VERIFY_PEER, nullptr);
  if (const auto trusted = trust(context.get(), server); !trusted) return tl::unexpected(trusted.error());
  if (const auto presented = present(context.get(), credentials); !presented) return tl::unexpected(presented.error());
  return context;
}

TlsSession make_tls_session(const TlsContext& context, const ServerAddress& server, int socket, Pin& pin) {
  TlsSession session(SSL_new(context.get()));
  if (!session || SSL_set_fd(session.get(), socket) != 1) return nullptr;
  const std::string& name = name_of(server);
  const bool address = is_address(name);
  if (!address && SSL_set_tlsext_host_name(session.get(), name.c_str()) != 1) return nullptr;
  if (!pin.expected.empty()) SSL_set_app_data(session.get(), &pin);
  if (server.skip_verification || !pin.expected.empty()) return session;
  X509_VERIFY_PARAM* expected = SSL_get0_param(session.get());
  // As in Go, only the names in subjectAltName count.
  X509_VERIFY_PARAM_set_hostflags(expected, X509_CHECK_FLAG_NEVER_CHECK_SUBJECT | X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
  const int named = address ? X509_VERIFY_PARAM_set1_ip_asc(expected, name.c_str())
                            : X509_VERIFY_PARAM_set1_host(expected, name.c_str(), name.size());
  return named == 1 ? std::move(session) : nullptr;
}

}  // namespace nodebound
