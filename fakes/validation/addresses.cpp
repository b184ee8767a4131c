#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <cstdio>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "fakes/validation/kinds.h"
#include "reference/encoding/ascii.h"
#include "reference/release/behaviour_ids.h"
#include "reference/release/refusal_text.h"

// IP addresses and CIDR values (apimachinery's pkg/util/validation/ip.go).

namespace nodebound::validation {
namespace {

using Bytes = std::array<unsigned char, sizeof(in6_addr)>;
constexpr std::size_t first_of_ip4 = 12;

/// Four bytes in the last places for IPv4.
struct Address {
  Bytes bytes = {};
  bool is_ip6 = false;
};

std::optional<Address> parsed(const std::string& text) {
  Address out;
  if (text.find('\0') != std::string::npos) return std::nullopt;
  if (inet_pton(AF_INET, text.c_str(), out.bytes.data() + first_of_ip4) == 1) return out;
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
  static constexpr std::array<unsigned char, first_of_ip4> prefix = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
  return address.is_ip6 && std::equal(prefix.begin(), prefix.end(), address.bytes.begin());
}

bool is_ip4_family(const Address& address) {
  return !address.is_ip6 || holds_ip4(address);
}

// As Go prints it (RFC 5952). inet_ntop differs where the last bytes alone are set.
std::string canonical(const Address& address) {
  const Bytes& bytes = address.bytes;
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (is_ip4_family(address)) return inet_ntop(AF_INET, bytes.data() + first_of_ip4, text.data(), text.size());
  constexpr std::size_t groups = 8;
  const auto group = [&](std::size_t i) { return bytes[2 * i] << 8U | bytes[2 * i + 1]; };
  std::size_t longest = 1;  // a single zero stays
  std::size_t gap = groups;
  for (std::size_t i = 0; i < groups; ++i) {
    std::size_t end = i;
    while (end < groups && group(end) == 0) ++end;
    if (end - i <= longest) continue;
    longest = end - i;
    gap = i;
  }
  std::string out;
  for (std::size_t i = 0; i < groups; ++i) {
    if (i == gap) {
      out += "::";
      i += longest - 1;
      continue;
    }
    if (!out.empty() && !out.ends_with(':')) out += ':';
    std::snprintf(text.data(), text.size(), "%x", static_cast<unsigned>(group(i)));
    out += text.data();
  }
  return out;
}

struct Cidr {
  Address address;
  std::size_t length = 0;  ///< of its prefix, in bits

  [[nodiscard]] std::size_t bits() const { return address.is_ip6 ? 128 : 32; }
};

// The length of a prefix may have zeros before it.
std::optional<Cidr> parsed_cidr(const std::string& text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos) return std::nullopt;
  const std::optional<Address> address = parsed(without_leading_zeros(text.substr(0, slash)));
  const std::string_view length = std::string_view(text).substr(slash + 1);
  if (!address || length.empty() || !std::all_of(length.begin(), length.end(), is_digit)) return std::nullopt;
  Cidr out{*address};
  for (const char digit : length) {
    out.length = 10 * out.length + static_cast<std::size_t>(digit - '0');
    if (out.length > out.bits()) return std::nullopt;
  }
  return out;
}

Cidr masked(const Cidr& cidr) {
  Cidr out = cidr;
  const std::size_t first = cidr.address.is_ip6 ? 0 : first_of_ip4;
  for (std::size_t bit = cidr.length; bit < cidr.bits(); ++bit) {
    unsigned char& byte = out.address.bytes[first + bit / 8];
    byte = static_cast<unsigned char>(byte & ~(0x80U >> bit % 8));
  }
  return out;
}

bool has_bits_beyond(const Cidr& cidr) {
  return masked(cidr).address.bytes != cidr.address.bytes;
}

// Go's net.IPNet, which counts the bits of IPv4 in the form of IPv6 as those of IPv4.
std::string canonical(const Cidr& cidr) {
  const std::size_t unseen = holds_ip4(cidr.address) ? std::min<std::size_t>(cidr.length, 96) : 0;
  return canonical(cidr.address) + "/" + std::to_string(cidr.length - unseen);
}

bool has_leading_zeros(const std::string& cidr) {
  const std::size_t slash = cidr.find('/');
  return !parsed(cidr.substr(0, slash)) || (cidr[slash + 1] == '0' && cidr.size() > slash + 2);
}

FieldMistakes wrong_cidr(const std::string& field, const std::string& text, const Release& release) {
  const std::optional<Cidr> cidr = parsed_cidr(text);
  if (!cidr) return {invalid_field(field, text, "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)")};
  if (!release.does(Behaviour::strict_addresses)) return {};
  if (has_leading_zeros(text)) return {invalid_field(field, text, "must not have leading 0s in IP or prefix length")};
  if (holds_ip4(cidr->address)) return {invalid_field(field, text, "must not have an IPv4-mapped IPv6 address")};
  if (has_bits_beyond(*cidr)) return {invalid_field(field, text, "must not have bits set beyond the prefix length")};
  return {};
}

// At most one of each IP family.
FieldMistakes wrong_families(const std::vector<std::string>& all, const Release& release) {
  FieldMistakes out;
  std::size_t of_ip4 = 0;
  std::size_t read = 0;
  for (const std::string& each : all) {
    const std::optional<Cidr> cidr = parsed_cidr(each);
    if (!cidr) {
      const std::string error = "invalid CIDR address: " + each;
      const std::string told = release.does(Behaviour::wrong_address_by_index)
                                   ? "invalid CIDR[" + std::to_string(read) + "]: <nil> (" + error + ")"
                                   : "failed to parse cidr value:" + go_quoted(each) + " with error:" + error;
      out.push_back({"spec.podCIDRs",
                     "InternalError",
                     "Internal error",
                     {},
                     "invalid PodCIDRs. failed to check with dual stack with error:" + told});
      break;
    }
    ++read;
    if (is_ip4_family(masked(*cidr).address)) ++of_ip4;
  }
  if (read == 2 && all.size() == 2 && of_ip4 == 1) return out;
  out.push_back(invalid_field("spec.podCIDRs", all, "may specify no more than one CIDR for each IP family"));
  return out;
}

// Nothing has no parts.
std::vector<std::string> split_at_commas(std::string_view text) {
  std::vector<std::string> out;
  if (trimmed(text).empty()) return out;
  while (true) {
    const std::size_t comma = text.find(',');
    out.emplace_back(text.substr(0, comma));
    if (comma == std::string_view::npos) return out;
    text.remove_prefix(comma + 1);
  }
}

// As Go's %v prints it.
std::string as_go_list(const std::vector<std::string>& all) {
  std::string out;
  for (const std::string& one : all) out += " " + one;
  return "[" + (out.empty() ? out : out.substr(1)) + "]";
}

}  // namespace

FieldMistakes wrong_pod_cidrs(const Object& node, const Release& release) {
  if (!release.does(Behaviour::pod_cidr_checked)) return {};
  if (!release.does(Behaviour::pod_cidrs)) {
    const std::string cidr(text(node, "spec", "podCIDR"));
    if (cidr.empty() || parsed_cidr(cidr)) return {};
    return {invalid_field("spec.podCIDR", cidr, "not a valid CIDR")};
  }
  const std::vector<std::string> all = strings_of(member(node, "spec", "podCIDRs"));
  const bool with_examples = release.does(Behaviour::address_mistakes_with_examples);
  FieldMistakes out;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string field = "spec.podCIDRs[" + std::to_string(i) + "]";
    FieldMistakes own = wrong_cidr(field, all[i], release);
    if (!own.empty() && !with_examples) own = {invalid_field(field, all, "must be valid CIDR")};
    append(out, std::move(own));
  }
  if (all.size() < 2) return out;
  append(out, wrong_families(all, release));
  if (release.does(Behaviour::pod_cidrs_told_once)) return out;
  std::set<std::string> seen;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (seen.insert(all[i]).second) continue;
    out.push_back(duplicate_field("spec.podCIDRs[" + std::to_string(i) + "]", all[i]));
  }
  return out;
}

// ValidateEndpointIP. The range of IPv6 multicast is wider than the text says.
FieldMistakes wrong_endpoint_address(const std::string& field, const std::string& address) {
  const std::optional<Address> read = parsed(without_leading_zeros(address));
  if (!read) return {invalid_field(field, address, "must be a valid IP address")};
  const Bytes& bytes = read->bytes;
  const auto* const four = bytes.data() + first_of_ip4;
  const bool ip4 = is_ip4_family(*read);
  const bool zero_but_last = std::all_of(bytes.begin(), bytes.end() - 1, [](unsigned char byte) { return byte == 0; });
  const bool unspecified = ip4 ? std::all_of(four, bytes.end(), [](unsigned char byte) { return byte == 0; })
                               : zero_but_last && bytes.back() == 0;
  FieldMistakes out;
  if (unspecified) out.push_back(invalid_field(field, address, "may not be unspecified (" + address + ")"));
  if (ip4 ? four[0] == 127 : zero_but_last && bytes.back() == 1)
    out.push_back(invalid_field(field, address, "may not be in the loopback range (127.0.0.0/8, ::1/128)"));
  if (ip4 ? four[0] == 169 && four[1] == 254 : bytes[0] == 0xfe && (bytes[1] & 0xc0U) == 0x80)
    out.push_back(invalid_field(field, address, "may not be in the link-local range (169.254.0.0/16, fe80::/10)"));
  if (ip4 ? four[0] == 224 && four[1] == 0 && four[2] == 0 : bytes[0] == 0xff && (bytes[1] & 0x0fU) == 2)
    out.push_back(
        invalid_field(field, address, "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)"));
  return out;
}

FieldMistakes wrong_source_ranges(const Object& service, const Release& release) {
  const std::string key = "service.beta.kubernetes.io/load-balancer-source-ranges";
  const std::vector<std::string> of_spec = strings_of(member(service, "spec", "loadBalancerSourceRanges"));
  const Object& annotation = member(service, "metadata", "annotations", key);
  if (of_spec.empty() && !annotation.is_string()) return {};
  const std::string field = of_spec.empty() ? "metadata.annotations[" + key + "]" : "spec.LoadBalancerSourceRanges";
  FieldMistakes out;
  if (text(service, "spec", "type") != "LoadBalancer")
    out.push_back(forbidden_field(field, "may only be used when `type` is 'LoadBalancer'"));
  FieldMistakes wrong;
  const std::vector<std::string> ranges = of_spec.empty() ? split_at_commas(annotation.get<std::string>()) : of_spec;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    // Blanks around a range are part of the API.
    const std::string at = of_spec.empty() ? "" : "[" + std::to_string(i) + "]";
    append(wrong, wrong_cidr(field + at, std::string(trimmed(ranges[i])), release));
  }
  if (!wrong.empty() && !release.does(Behaviour::address_mistakes_with_examples)) {
    const std::string shown = of_spec.empty() ? annotation.get<std::string>() : as_go_list(of_spec);
    wrong = {invalid_field(field, shown, "must be a list of IP ranges. For example, 10.240.0.0/24,10.250.0.0/24 ")};
  }
  append(out, std::move(wrong));
  return out;
}

namespace {

// As Go's net/netip prints it, which keeps the form of IPv6.
std::string as_parsed(const Address& address) {
  return (holds_ip4(address) ? "::ffff:" : "") + canonical(address);
}

std::string not_parsed(const std::string& address) {
  return "ParseAddr(" + go_quoted(address) + "): IPv4 field has octet with leading zero";
}

std::string not_canonical(const std::string& field, std::string_view what, const std::string& text,
                          const std::string& canonical) {
  return field + ": IPv6 " + std::string(what) + " " + go_quoted(text) + " is not in RFC 5952 canonical format (" +
         go_quoted(canonical) + "), which may cause controller apply-loops";
}

constexpr std::string_view will_be_invalid = " was accepted, but will be invalid in a future Kubernetes release: ";

std::vector<std::string> parser_warnings_of_address(const std::string& field, const std::string& address) {
  const std::optional<Address> loosely = parsed(without_leading_zeros(address));
  if (!loosely) return {};
  if (!parsed(address)) return {field + ": IP address" + std::string(will_be_invalid) + not_parsed(address)};
  if (!loosely->is_ip6 || as_parsed(*loosely) == address) return {};
  return {not_canonical(field, "address", address, as_parsed(*loosely))};
}

std::vector<std::string> parser_warnings_of_cidr(const std::string& field, const std::string& text) {
  const std::optional<Cidr> cidr = parsed_cidr(text);
  if (!cidr) return {};
  const std::size_t slash = text.find('/');
  const std::string address = text.substr(0, slash);
  if (has_leading_zeros(text)) {
    const std::string why =
        parsed(address) ? "bad bits after slash: " + go_quoted(text.substr(slash + 1)) : not_parsed(address);
    return {field + ": IP prefix" + std::string(will_be_invalid) + "netip.ParsePrefix(" + go_quoted(text) +
            "): " + why};
  }
  const std::string prefix = as_parsed(cidr->address) + "/" + std::to_string(cidr->length);
  if (!cidr->address.is_ip6 || prefix == text) return {};
  return {not_canonical(field, "prefix", text, prefix)};
}

std::string unusual(const Release& release) {
  return release.does(Behaviour::odd_addresses_invalid)
             ? " is invalid: use "
             : " will be considered invalid in a future Kubernetes release: use ";
}

}  // namespace

std::vector<std::string> warnings_of_address(const std::string& field, const std::string& address,
                                             const Release& release) {
  if (release.does(Behaviour::addresses_of_services_parsed)) return parser_warnings_of_address(field, address);
  const std::optional<Address> loosely = parsed(without_leading_zeros(address));
  if (!loosely || !release.does(Behaviour::addresses_warned_of)) return {};
  if (!parsed(address) || holds_ip4(*loosely)) {
    return {field + ": non-standard IP address " + go_quoted(address) + unusual(release) +
            go_quoted(canonical(*loosely))};
  }
  if (!loosely->is_ip6 || canonical(*loosely) == address) return {};
  return {field + ": IPv6 address " + go_quoted(address) + " should be in RFC 5952 canonical format (" +
          go_quoted(canonical(*loosely)) + ")"};
}

std::vector<std::string> warnings_of_cidr(const std::string& field, const std::string& text, const Release& release) {
  if (release.does(Behaviour::addresses_of_services_parsed)) return parser_warnings_of_cidr(field, text);
  const std::optional<Cidr> cidr = parsed_cidr(text);
  if (!cidr || !release.does(Behaviour::addresses_warned_of)) return {};
  std::vector<std::string> out;
  const std::string subnet = canonical(masked(*cidr));
  if (has_bits_beyond(*cidr)) {
    const std::string bits = is_ip4_family(cidr->address) ? "/32" : "/128";
    out.push_back(field + ": CIDR value " + go_quoted(text) + " is ambiguous in this context (should be " +
                  go_quoted(subnet) + " or " + go_quoted(canonical(cidr->address) + bits) + "?)");
  }
  if (has_leading_zeros(text) || holds_ip4(cidr->address)) {
    out.push_back(field + ": non-standard CIDR value " + go_quoted(text) + unusual(release) + go_quoted(subnet));
  }
  if (out.empty() && cidr->address.is_ip6 && subnet != text) {
    out.push_back(field + ": IPv6 CIDR value " + go_quoted(text) + " should be in RFC 5952 canonical format (" +
                  go_quoted(subnet) + ")");
  }
  return out;
}

namespace {

std::vector<std::string> warnings_of_each(const std::string& field, const Object& texts, const Release& release,
                                          std::vector<std::string> (*warnings_of)(const std::string& field,
                                                                                  const std::string& text,
                                                                                  const Release& release)) {
  std::vector<std::string> out;
  std::size_t at = 0;
  for (const std::string& text : strings_of(texts)) {
    std::vector<std::string> warnings = warnings_of(field + "[" + std::to_string(at++) + "]", text, release);
    std::ranges::move(warnings, std::back_inserter(out));
  }
  return out;
}

}  // namespace

std::vector<std::string> warnings_of_addresses(const std::string& field, const Object& addresses,
                                               const Release& release) {
  return warnings_of_each(field, addresses, release, warnings_of_address);
}

std::vector<std::string> warnings_of_cidrs(const std::string& field, const Object& texts, const Release& release) {
  return warnings_of_each(field, texts, release, warnings_of_cidr);
}

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
  return found && !is_ip4_family(*found);
}

bool is_address(const std::string& address) {
  return parsed(without_leading_zeros(address)).has_value();
}

}  // namespace nodebound::validation
