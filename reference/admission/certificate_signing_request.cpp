#include "reference/admission/certificate_signing_request.h"

#include <memory>
#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

namespace nodebound {

std::optional<std::string> base64_decoded(std::string_view text) {
  std::string out(text.size() / 4 * 3 + 3, '\0');
  const int size = EVP_DecodeBlock(reinterpret_cast<unsigned char*>(out.data()),
                                   reinterpret_cast<const unsigned char*>(text.data()), static_cast<int>(text.size()));
  if (size < 0) return std::nullopt;
  std::size_t padding = 0;
  while (padding < text.size() && padding < 2 && text[text.size() - 1 - padding] == '=') ++padding;
  out.resize(static_cast<std::size_t>(size) - padding);
  return out;
}

namespace {

using Request = std::unique_ptr<X509_REQ, decltype(&X509_REQ_free)>;

struct OpensslFree {
  void operator()(void* memory) const { OPENSSL_free(memory); }
};

// The first PEM block must be the request, under its one modern name, with nothing behind it in the block.
Request first_request(std::string_view pem) {
  const std::unique_ptr<BIO, decltype(&BIO_free)> in(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())),
                                                     BIO_free);
  char* type = nullptr;
  char* header = nullptr;
  unsigned char* der = nullptr;
  long size = 0;
  Request request(nullptr, X509_REQ_free);
  if (PEM_read_bio(in.get(), &type, &header, &der, &size) != 1) return request;
  const std::unique_ptr<char, OpensslFree> own_type(type);
  const std::unique_ptr<char, OpensslFree> own_header(header);
  const std::unique_ptr<unsigned char, OpensslFree> own_der(der);
  if (std::string_view(type) != PEM_STRING_X509_REQ) return request;
  const unsigned char* at = der;
  request.reset(d2i_X509_REQ(nullptr, &at, size));
  if (at != der + size) request.reset();
  return request;
}

}  // namespace

std::optional<std::string> common_name_of(std::string_view pem) {
  const Request request = first_request(pem);
  if (request == nullptr) return std::nullopt;
  const X509_NAME* subject = X509_REQ_get_subject_name(request.get());
  // Go keeps the last of several common names.
  int last = -1;
  for (int at = X509_NAME_get_index_by_NID(subject, NID_commonName, -1); at >= 0;
       at = X509_NAME_get_index_by_NID(subject, NID_commonName, at)) {
    last = at;
  }
  if (last < 0) return std::string();
  unsigned char* utf8 = nullptr;
  const int size = ASN1_STRING_to_UTF8(&utf8, X509_NAME_ENTRY_get_data(X509_NAME_get_entry(subject, last)));
  if (size < 0) return std::nullopt;
  std::string name(reinterpret_cast<const char*>(utf8), static_cast<std::size_t>(size));
  OPENSSL_free(utf8);
  return name;
}

}  // namespace nodebound
