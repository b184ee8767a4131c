#pragma once

#include <openssl/x509.h>
#include <string>
#include <string_view>

namespace nodebound {

/// SHA-256: 32 bytes.
std::string sha256(std::string_view bytes);

/// SHA-256 in hexadecimal.
std::string sha256_hex(std::string_view bytes);

/// SHA-256 of a certificate in hexadecimal; empty if there is no certificate.
std::string fingerprint_of(const X509* certificate);

}  // namespace nodebound
