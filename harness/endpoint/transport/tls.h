#pragma once

#include <memory>
#include <openssl/ssl.h>
#include <string>
#include <vector>

#include "fakes/authentication/openssl.h"
#include "harness/endpoint/https_client.h"
#include "reference/result.h"

namespace nodebound {

/// How a client speaks TLS: whom it believes, and what it presents. Empty where the server is spoken to in clear.
using TlsContext = std::unique_ptr<SSL_CTX, openssl::Deleter<SSL_CTX_free>>;
using TlsSession = std::unique_ptr<SSL, openssl::Deleter<SSL_free>>;

/// Fails on PEM texts that cannot be read.
Result<TlsContext> make_tls_context(const ServerAddress& server, const Credentials& credentials);

/// The one certificate that is believed, and the one that was shown. Both empty where authorities are believed.
struct Pin {
  std::string expected;
  std::string seen = {};
};

/// A session on a socket, before its handshake. Null where OpenSSL has no memory for one, or the name is none. `pin`
/// must outlive it.
TlsSession make_tls_session(const TlsContext& context, const ServerAddress& server, int socket, Pin& pin);

}  // namespace nodebound
