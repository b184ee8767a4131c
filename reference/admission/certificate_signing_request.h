#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace nodebound {

/// The common name of a PKCS#10 request in PEM; nothing if it cannot be read. A request without one has an empty name.
std::optional<std::string> common_name_of(std::string_view pem);

/// Decodes standard base64; nothing if it is not that.
std::optional<std::string> base64_decoded(std::string_view text);

}  // namespace nodebound
