#include "reference/encoding/hex.h"

namespace nodebound {
namespace {

constexpr std::string_view hex_digits = "0123456789abcdef";

}  // namespace

std::string hex_encode(std::string_view bytes) {
  std::string out;
  out.reserve(2 * bytes.size());
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    out += {hex_digits[byte >> 4U], hex_digits[byte & 15U]};
  }
  return out;
}

bool is_hex(std::string_view text) {
  return text.find_first_not_of(hex_digits) == std::string_view::npos;
}

}  // namespace nodebound
