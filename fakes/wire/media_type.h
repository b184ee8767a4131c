#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace nodebound {

struct Release;

/// How an object is written in a body.
enum class MediaType { json, yaml, protobuf };

/// `application/json` and so on.
std::string_view name_of(MediaType type);

/// The media type of a Content-Type header: JSON where it is empty, nothing where it is none of these or malformed.
std::optional<MediaType> media_type_of(std::string_view content_type);

/// The kind that an object names.
struct GroupVersionKind {
  std::string group;
  std::string version;
  std::string kind;

  bool operator==(const GroupVersionKind&) const = default;

  /// `v1` or `apps/v1`
  [[nodiscard]] std::string group_version() const { return group.empty() ? version : group + "/" + version; }
};

/// Splits an apiVersion; nothing if it has more than one slash.
std::optional<GroupVersionKind> parse_group_version(std::string_view group_version);

}  // namespace nodebound
