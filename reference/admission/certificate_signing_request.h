#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nodebound {

/// For whom a certificate is requested: the user name and the groups of whoever holds it.
struct RequestedSubject {
  std::string common_name;  ///< empty where the request has none
  std::vector<std::string> organizations;
};

/// The subject of a PKCS#10 request in PEM; nothing if it cannot be read.
std::optional<RequestedSubject> requested_subject(std::string_view pem);

/// Its common name alone.
std::optional<std::string> common_name_of(std::string_view pem);

/// Decodes standard base64; nothing if it is not that.
std::optional<std::string> base64_decoded(std::string_view text);

}  // namespace nodebound
