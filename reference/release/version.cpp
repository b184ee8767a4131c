#include "reference/release/version.h"

#include <charconv>

namespace nodebound {

std::string Version::text() const {
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
}

std::optional<Version> Version::parse(std::string_view text) {
  if (text.starts_with('v')) text.remove_prefix(1);
  text = text.substr(0, text.find_first_of("-+"));
  Version version;
  int* const parts[] = {&version.major, &version.minor, &version.patch};
  std::size_t count = 0;
  while (count < 3) {
    const std::string_view part = text.substr(0, text.find('.'));
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), *parts[count]);
    if (error != std::errc() || end != part.data() + part.size() || *parts[count] < 0) return std::nullopt;
    ++count;
    if (part.size() == text.size()) return count >= 2 ? std::optional(version) : std::nullopt;
    text.remove_prefix(part.size() + 1);
  }
  return std::nullopt;
}

std::string VersionRange::text() const {
  if (since && until) return "from " + since->text() + " to before " + until->text();
  if (since) return "from " + since->text() + " on";
  return until ? "before " + until->text() : std::string();
}

}  // namespace nodebound
