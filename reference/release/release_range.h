#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference/release/toml_reader.h"
#include "reference/release/version.h"

namespace nodebound {

struct Release;

/// The releases in which something holds: from `since` to before `until`, with the feature gates set as it requires.
/// A gate that a release no longer has, because its feature is always on, counts as on.
struct ReleaseRange {
  /// The releases with which it began, oldest first; empty: with the first of all. A patch release counts only for its
  /// own minor (a back-port), except the last one.
  std::vector<Version> since;
  std::optional<Version> until;  ///< first release in which it no longer holds
  std::vector<std::string> gates;
  std::vector<std::string> any_gate;
  std::vector<std::string> unless_gates;

  /// Reads `since`, `until`, `gates`, `any_gate` and `unless_gates`; all may be missing.
  static ReleaseRange read(TomlReader& in);
  /// Reads `since` and `until` only: for what cannot depend on gates.
  static ReleaseRange read_versions(TomlReader& in);
  /// Likewise; each must lie within `releases`.
  static ReleaseRange read_within(TomlReader& in, const ReleaseRange& releases);
  /// Reads a text like `since 1.31`, `until 1.31` or `since 1.31 until 1.34`; nothing if it is malformed.
  static std::optional<ReleaseRange> parse(std::string_view text);

  [[nodiscard]] bool holds(const Release& release) const;
  /// Whether the version is in the range, whatever the gates.
  [[nodiscard]] bool contains(const Version& version) const;
  /// The versions that it names.
  [[nodiscard]] std::vector<Version> versions() const;
  [[nodiscard]] bool is_unlimited() const { return since.empty() && !until; }
  [[nodiscard]] bool ends_before(const Version& version) const { return until && version >= *until; }
  [[nodiscard]] bool is_empty() const { return !since.empty() && until && since.back() >= *until; }

  /// The versions that are in this range and in `other`, neither of which has back-ports or gates.
  [[nodiscard]] ReleaseRange narrowed_to(const ReleaseRange& other) const;

  /// `from 1.28.0 on`, `before 1.12.0`, `from 1.11.0 to before 1.26.0`; empty without limits.
  [[nodiscard]] std::string text() const;
};

/// Reads the ranges of the list `in_force` or, without it, the one that the table gives itself.
std::vector<ReleaseRange> read_ranges(TomlReader& in);

/// Reads a list of values that replace each other: `read` takes what a table has besides its `since`.
template <typename Value, typename Read>
ByRelease<Value> read_by_release(TomlReader& in, std::string_view key, Read read) {
  ByRelease<Value> out;
  in.tables(key, [&](const toml::table& table) {
    TomlReader one(table);
    const Version since = one.required_version("since");
    if (!out.empty() && since <= out.back().first) throw TomlMistake(table, "expected a later release");
    out.emplace_back(since, read(one));
    one.done();
  });
  return out;
}

/// Whether one of the ranges holds.
bool any_holds(const std::vector<ReleaseRange>& ranges, const Release& release);

}  // namespace nodebound
