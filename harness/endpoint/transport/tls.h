#pragma once

#include <memory>
#include <openssl/ssl.h>
#include <string>
#include <vector>

#include "fakes/wire/certificates/openssl.h"
#include "harness/endpoint/https_client.h"
#include "reference/result.h"

namespace nodebound {

/// How a client speaks TLS: whom it trusts, and what it presents. Empty for plain HTTP.
using TlsContext = std::unique_ptr<SSL_CTX, openssl::Deleter<SSL_CTX_free>>;
using TlsSession = std::unique_ptr<SSL, openssl::Deleter<SSL_free>>;

/// Fails on unreadable PEM texts.
Result<TlsContext> make_tls_context(const ServerAddress& server, const Credentials& credentials);

/// The pinned certificate, and the one that the server showed. Both are empty if authorities are trusted.
struct Pin {
  std::string expected;
  std::string seen = {};
};

/// A session on a socket, before its handshake. Null if OpenSSL has no memory for one, or the name is invalid. `pin`
/// must outlive it.
TlsSession make_tls_session(const TlsContext& context, const ServerAddress& server, int socket, Pin& pin);

}  // namespace nodebound
