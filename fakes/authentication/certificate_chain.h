#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fakes/wire/certificates/openssl.h"

namespace nodebound::authentication {

/// A chain from a client's certificate to a trusted one, each signed by the next; or the reason why there is none.
struct CertificateChain {
  std::vector<X509*> certificates;  ///< the client's own certificate first
  std::string error;                ///< empty if there is a chain
};

/// Finds a chain that Go's crypto/x509 accepts for a client (Certificate.Verify with ExtKeyUsageClientAuth). Go differs
/// from OpenSSL: it refuses weak hashes, trusts every certificate in the pool, self-signed or not, applies name
/// constraints only to alternative names, and needs only one valid chain of several.
CertificateChain client_chain(X509* own, const std::vector<X509*>& others, const std::vector<X509*>& trusted,
                              std::int64_t now);

/// The seconds since 1970 at which a certificate begins or ceases to be valid.
std::int64_t seconds_of(const ASN1_TIME* time);

}  // namespace nodebound::authentication
