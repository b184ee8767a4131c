#include "reference/release/version.h"

#include <charconv>

namespace nodebound {

std::string Version::text() const {
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
}

std::string Version::minor_text() const {
  return std::to_string(major) + "." + std::to_string(minor);
}

std::string Version::short_text() const {
  return patch > 0 ? text() : minor_text();
}

Version Version::previous() const {
  constexpr int above_any_patch = 9999;
  return patch > 0 ? Version{major, minor, patch - 1} : Version{major, minor - 1, above_any_patch};
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

}  // namespace nodebound
