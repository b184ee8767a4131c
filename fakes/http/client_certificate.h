#pragma once

#include <openssl/x509.h>

namespace nodebound {

/// Whether Go's crypto/x509 can read the certificate and crypto/tls accepts its key. Go is stricter than OpenSSL: a Go
/// server ends the handshake if it cannot.
bool is_readable_in_go(const X509* certificate);

}  // namespace nodebound
