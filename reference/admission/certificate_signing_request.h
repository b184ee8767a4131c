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

/// The subject of a PKCS#10 request in PEM; nothing if the request cannot be read.
std::optional<RequestedSubject> requested_subject(std::string_view pem);

/// The common name of the request.
std::optional<std::string> common_name_of(std::string_view pem);

}  // namespace nodebound
