#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace nodebound {

/// What the header of a signed token says, as go-jose reads it.
struct JoseHeader {
  std::string algorithm;
  std::string key_id;
  /// Why nobody may take the token: what its header demands to be understood is not. Empty: it demands nothing.
  std::string demands;
};

/// Nothing where go-jose finds no header.
std::optional<JoseHeader> read_jose_header(std::string_view json);

}  // namespace nodebound
