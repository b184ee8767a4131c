#include "reference/admission/certificate_signing_request.h"

#include <memory>
#include <openssl/bio.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

namespace nodebound {

namespace {

using Request = std::unique_ptr<X509_REQ, decltype(&X509_REQ_free)>;

struct OpensslFree {
  void operator()(void* memory) const { OPENSSL_free(memory); }
};

// The first PEM block must be the request, under its modern type name, with no data after it in the block.
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

std::optional<std::string> text_of(const X509_NAME_ENTRY* entry) {
  unsigned char* utf8 = nullptr;
  const int size = ASN1_STRING_to_UTF8(&utf8, X509_NAME_ENTRY_get_data(entry));
  if (size < 0) return std::nullopt;
  const std::unique_ptr<unsigned char, OpensslFree> own(utf8);
  return std::string(reinterpret_cast<const char*>(utf8), static_cast<std::size_t>(size));
}

std::optional<RequestedSubject> subject_of(const X509_REQ* request) {
  const X509_NAME* name = X509_REQ_get_subject_name(request);
  RequestedSubject subject;
  for (int at = 0; at < X509_NAME_entry_count(name); ++at) {
    const X509_NAME_ENTRY* entry = X509_NAME_get_entry(name, at);
    const int type = OBJ_obj2nid(X509_NAME_ENTRY_get_object(entry));
    if (type != NID_commonName && type != NID_organizationName) continue;
    std::optional<std::string> value = text_of(entry);
    if (!value) return std::nullopt;
    // Go keeps the last common name if there are several.
    if (type == NID_commonName) subject.common_name = std::move(*value);
    if (type == NID_organizationName) subject.organizations.push_back(std::move(*value));
  }
  return subject;
}

struct ExtensionsFree {
  void operator()(STACK_OF(X509_EXTENSION) * all) const { sk_X509_EXTENSION_pop_free(all, X509_EXTENSION_free); }
};

RequestedNames names_of(X509_REQ* request) {
  RequestedNames out;
  const std::unique_ptr<STACK_OF(X509_EXTENSION), ExtensionsFree> extensions(X509_REQ_get_extensions(request));
  const std::unique_ptr<GENERAL_NAMES, decltype(&GENERAL_NAMES_free)> names(
      static_cast<GENERAL_NAMES*>(X509V3_get_d2i(extensions.get(), NID_subject_alt_name, nullptr, nullptr)),
      GENERAL_NAMES_free);
  for (int at = 0; names != nullptr && at < sk_GENERAL_NAME_num(names.get()); ++at) {
    switch (sk_GENERAL_NAME_value(names.get(), at)->type) {
      case GEN_DNS:
        ++out.dns_names;
        break;
      case GEN_EMAIL:
        ++out.emails;
        break;
      case GEN_IPADD:
        ++out.ip_addresses;
        break;
      case GEN_URI:
        ++out.uris;
        break;
      default:
        break;
    }
  }
  return out;
}

}  // namespace

std::optional<RequestedCertificate> requested_certificate(std::string_view pem) {
  const Request request = first_request(pem);
  if (request == nullptr) return std::nullopt;
  std::optional<RequestedSubject> subject = subject_of(request.get());
  if (!subject) return std::nullopt;
  return RequestedCertificate{std::move(*subject), names_of(request.get())};
}

std::optional<RequestedSubject> requested_subject(std::string_view pem) {
  const Request request = first_request(pem);
  return request == nullptr ? std::nullopt : subject_of(request.get());
}

std::optional<std::string> common_name_of(std::string_view pem) {
  std::optional<RequestedSubject> subject = requested_subject(pem);
  if (!subject) return std::nullopt;
  return std::move(subject->common_name);
}

}  // namespace nodebound
