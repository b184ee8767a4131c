#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace nodebound::authentication {

/// The header of a signed token as go-jose reads it.
struct JoseHeader {
  std::string algorithm;
  std::string key_id;
  /// What the header requires and nobody understands, so that the token must be refused; empty: nothing.
  std::string demands;
};

/// Nothing if go-jose finds no header.
std::optional<JoseHeader> read_jose_header(std::string_view json);

}  // namespace nodebound::authentication
