#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <optional>
#include <string>

#include "fakes/validation/kinds.h"
#include "reference/release/behaviour_ids.h"

// IP addresses (apimachinery's pkg/util/validation/ip.go).

namespace nodebound::validation {
namespace {

using Bytes = std::array<unsigned char, sizeof(in6_addr)>;

/// Four bytes in the last places for IPv4.
struct Address {
  Bytes bytes = {};
  bool is_ip6 = false;
};

std::optional<Address> parsed(const std::string& text) {
  Address out;
  if (text.find('\0') != std::string::npos) return std::nullopt;
  if (inet_pton(AF_INET, text.c_str(), out.bytes.data() + 12) == 1) return out;
  out.is_ip6 = true;
  if (inet_pton(AF_INET6, text.c_str(), out.bytes.data()) == 1) return out;
  return std::nullopt;
}

// Go once ignored zeros before a number.
std::string without_leading_zeros(const std::string& text) {
  std::string out;
  const auto separates = [](char c) { return c == '.' || c == ':'; };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool begins_number = out.empty() || separates(out.back());
    const bool number_goes_on = i + 1 < text.size() && !separates(text[i + 1]);
    if (text[i] == '0' && begins_number && number_goes_on) continue;
    out += text[i];
  }
  return out;
}

bool holds_ip4(const Address& address) {
  static constexpr std::array<unsigned char, 12> prefix = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
  return address.is_ip6 && std::equal(prefix.begin(), prefix.end(), address.bytes.begin());
}

}  // namespace

FieldMistakes wrong_address(const std::string& field, const std::string& address, const Release& release) {
  const auto loosely = parsed(without_leading_zeros(address));
  if (!loosely) {
    return {invalid_field(field, address, "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)")};
  }
  FieldMistakes out;
  if (!release.does(Behaviour::strict_addresses)) return out;
  if (!parsed(address)) {
    out.push_back(invalid_field(field, address, "must not have leading 0s"));
  } else if (holds_ip4(*loosely)) {
    out.push_back(invalid_field(field, address, "must not be an IPv4-mapped IPv6 address"));
  }
  return out;
}

bool is_ip6_address(const std::string& address) {
  const auto found = parsed(without_leading_zeros(address));
  return found && found->is_ip6 && !holds_ip4(*found);
}

bool is_address(const std::string& address) {
  return parsed(without_leading_zeros(address)).has_value();
}

}  // namespace nodebound::validation
