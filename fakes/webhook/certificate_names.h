#pragma once

#include <openssl/x509.h>
#include <string>

namespace nodebound::webhook {

/// Why a server's certificate is not trusted, as Go's crypto/x509 words it: `certificate is valid for a, not b`.
/// `verified` is OpenSSL's result; `shown` may be null.
std::string certificate_problem(int verified, const X509* shown, const std::string& expected);

}  // namespace nodebound::webhook
