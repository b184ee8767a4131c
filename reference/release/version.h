#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>

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

  /// Reads `1.36`, `1.36.3` or `v1.36.3-suffix`; nothing if the text is malformed.
  static std::optional<Version> parse(std::string_view text);
};

/// Versions from `since` to before `until`; a missing bound means no limit.
struct VersionRange {
  std::optional<Version> since;
  std::optional<Version> until;

  [[nodiscard]] bool contains(const Version& version) const {
    return (!since || version >= *since) && (!until || version < *until);
  }

  /// `from 1.28.0 on`, `before 1.12.0`, `from 1.11.0 to before 1.26.0`; empty without limits.
  [[nodiscard]] std::string text() const;
};

}  // namespace nodebound
