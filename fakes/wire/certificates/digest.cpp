#include "fakes/wire/certificates/digest.h"

#include <openssl/evp.h>
#include <openssl/sha.h>

#include "reference/encoding/hex.h"

namespace nodebound {

std::string sha256(std::string_view bytes) {
  std::string out(SHA256_DIGEST_LENGTH, '\0');
  SHA256(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(),
         reinterpret_cast<unsigned char*>(out.data()));
  return out;
}

std::string sha256_hex(std::string_view bytes) {
  return hex_encode(sha256(bytes));
}

std::string fingerprint_of(const X509* certificate) {
  std::string digest(SHA256_DIGEST_LENGTH, '\0');
  if (certificate == nullptr ||
      X509_digest(certificate, EVP_sha256(), reinterpret_cast<unsigned char*>(digest.data()), nullptr) != 1) {
    return {};
  }
  return hex_encode(digest);
}

}  // namespace nodebound
