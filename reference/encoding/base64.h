#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace nodebound {

std::string base64_encode(std::string_view bytes);

/// Nothing unless `text` is padded standard base64; line breaks and spaces between characters are ignored.
std::optional<std::string> base64_decode(std::string_view text);

/// Where Go finds the first mistake in padded standard base64, which may have line breaks.
std::optional<std::size_t> base64_mistake(std::string_view text);

/// The alphabet for URLs, without padding (RFC 7515).
std::string base64url_encode(std::string_view bytes);
std::optional<std::string> base64url_decode(std::string_view text);

}  // namespace nodebound
