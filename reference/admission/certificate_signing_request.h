#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nodebound {

/// The subject that a certificate is requested for: user name and groups.
struct RequestedSubject {
  std::string common_name;  ///< empty if the request has none
  std::vector<std::string> organizations;
};

/// How many subjectAltNames of each kind a certificate is requested for.
struct RequestedNames {
  std::size_t dns_names = 0;
  std::size_t emails = 0;
  std::size_t ip_addresses = 0;
  std::size_t uris = 0;
};

struct RequestedCertificate {
  RequestedSubject subject;
  RequestedNames names;
};

/// What a PKCS#10 request in PEM asks for; nothing if the request cannot be read.
std::optional<RequestedCertificate> requested_certificate(std::string_view pem);

/// Its subject.
std::optional<RequestedSubject> requested_subject(std::string_view pem);

/// The common name of the request.
std::optional<std::string> common_name_of(std::string_view pem);

}  // namespace nodebound
