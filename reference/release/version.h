#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace nodebound {

/// A Kubernetes version, as far as rules depend on it: `1.36.3`. Build metadata (`v1.33.1-gke.1+abc`) is accepted and
/// dropped, and so is a pre-release suffix: a pre-release counts as the release that it leads to.
struct Version {
  int major = 1;
  int minor = 0;
  int patch = 0;

  auto operator<=>(const Version&) const = default;

  /// `1.36.3`
  [[nodiscard]] std::string text() const;
  /// `1.36.3`, but `1.36` for the first release of a minor.
  [[nodiscard]] std::string short_text() const;
  /// `1.36`
  [[nodiscard]] std::string minor_text() const;

  /// A version just before it: the last patch before `1.36.3`, and one that no patch of 1.35 reaches before `1.36`.
  [[nodiscard]] Version previous() const;

  /// The first release of the minor before.
  [[nodiscard]] Version previous_minor() const { return {major, minor - 1, 0}; }

  [[nodiscard]] bool same_minor(const Version& other) const { return major == other.major && minor == other.minor; }

  /// Reads `1.36`, `1.36.3` or `v1.36.3-suffix`; nothing if the text is malformed.
  static std::optional<Version> parse(std::string_view text);
};

/// Values that replace each other, each with the release from which it holds; the oldest first.
template <typename Value>
using ByRelease = std::vector<std::pair<Version, Value>>;

/// The value that holds at a version; null if the version is older than all of them.
template <typename Value>
const Value* value_at(const ByRelease<Value>& values, const Version& version) {
  const Value* out = nullptr;
  for (const auto& [since, value] : values) {
    if (version >= since) out = &value;
  }
  return out;
}

}  // namespace nodebound
