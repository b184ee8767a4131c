#pragma once

#include <openssl/x509.h>

namespace nodebound {

/// Whether Go's crypto/x509 could read a certificate and crypto/tls take its key. It is stricter than OpenSSL: a server
/// in Go ends the handshake where it could not.
bool is_readable_in_go(const X509* certificate);

}  // namespace nodebound
