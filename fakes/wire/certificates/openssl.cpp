#include "fakes/wire/certificates/openssl.h"

#include <openssl/err.h>
#include <openssl/pem.h>

namespace nodebound::openssl {
namespace {

Memory reader(std::string_view text) {
  return Memory(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

template <typename Write>
std::string written(Write write) {
  const Memory memory(BIO_new(BIO_s_mem()));
  if (!memory || write(memory.get()) != 1) return {};
  char* data = nullptr;
  const long size = BIO_get_mem_data(memory.get(), &data);
  return {data, static_cast<std::size_t>(size)};
}

extern "C" int no_password(char* /*buffer*/, int /*size*/, int /*writing*/, void* /*context*/) {
  return -1;
}

}  // namespace

tl::unexpected<Error> failure(std::string where, const std::string& what) {
  const unsigned long code = ERR_peek_last_error();
  const char* reason = code == 0 ? nullptr : ERR_reason_error_string(code);
  ERR_clear_error();
  return input_error(std::move(where), reason == nullptr ? what : what + " (" + reason + ")");
}

Result<std::vector<Certificate>> parse_certificates(const std::string& where, std::string_view pem) {
  const Memory memory = reader(pem);
  std::vector<Certificate> chain;
  while (X509* next = PEM_read_bio_X509(memory.get(), nullptr, no_password, nullptr)) chain.emplace_back(next);
  // After the last certificate OpenSSL reports "no start line", which is no error here; anything else is a broken PEM
  // block.
  const bool at_end = ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE;
  if (chain.empty() || !at_end) return failure(where, "expected certificates in PEM (BEGIN CERTIFICATE)");
  ERR_clear_error();
  return chain;
}

Result<Key> parse_private_key(const std::string& where, std::string_view pem) {
  const Memory memory = reader(pem);
  Key key(PEM_read_bio_PrivateKey(memory.get(), nullptr, no_password, nullptr));
  if (!key) return failure(where, "expected an unencrypted private key in PEM (BEGIN PRIVATE KEY)");
  return key;
}

Result<std::vector<Key>> parse_public_keys(const std::string& where, std::string_view pem) {
  const Memory memory = reader(pem);
  std::vector<Key> keys;
  while (EVP_PKEY* next = PEM_read_bio_PUBKEY(memory.get(), nullptr, no_password, nullptr)) keys.emplace_back(next);
  ERR_clear_error();
  if (!keys.empty()) return keys;
  Result<Key> pair = parse_private_key(where, pem);
  if (!pair) return input_error(where, "expected public keys in PEM (BEGIN PUBLIC KEY)");
  keys.push_back(std::move(*pair));
  return keys;
}

Result<CertificateRequest> parse_certificate_request(const std::string& where, std::string_view pem) {
  const Memory memory = reader(pem);
  CertificateRequest request(PEM_read_bio_X509_REQ(memory.get(), nullptr, no_password, nullptr));
  if (!request) return failure(where, "expected a certificate request in PEM (BEGIN CERTIFICATE REQUEST)");
  return request;
}

std::string to_pem(X509* certificate) {
  return written([&](BIO* out) { return PEM_write_bio_X509(out, certificate); });
}

std::string to_pem(X509_REQ* request) {
  return written([&](BIO* out) { return PEM_write_bio_X509_REQ(out, request); });
}

std::string private_key_pem(EVP_PKEY* key) {
  return written(
      [&](BIO* out) { return PEM_write_bio_PKCS8PrivateKey(out, key, nullptr, nullptr, 0, nullptr, nullptr); });
}

std::string traditional_key_pem(EVP_PKEY* key) {
  return written(
      [&](BIO* out) { return PEM_write_bio_PrivateKey_traditional(out, key, nullptr, nullptr, 0, nullptr, nullptr); });
}

std::string public_key_pem(EVP_PKEY* key) {
  return written([&](BIO* out) { return PEM_write_bio_PUBKEY(out, key); });
}

}  // namespace nodebound::openssl
