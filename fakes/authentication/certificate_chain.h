#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fakes/authentication/openssl.h"

namespace nodebound {

/// A chain from a certificate to one that is trusted, each signed by the next; or why there is none.
struct CertificateChain {
  std::vector<X509*> certificates;  ///< the first is who shows it
  std::string error;                ///< empty if there is a chain
};

/// Finds what Go's crypto/x509 would take for a client (Certificate.Verify with ExtKeyUsageClientAuth). It is not what
/// OpenSSL would: weak hashes are refused, whatever says to be trusted is, self-signed or not, names that are limited
/// are the alternative ones alone, and of several ways to a root one that is good is enough.
CertificateChain client_chain(X509* own, const std::vector<X509*>& others, const std::vector<X509*>& trusted,
                              std::int64_t now);

/// When a certificate begins or ends to be valid.
std::int64_t seconds_of(const ASN1_TIME* time);

}  // namespace nodebound
