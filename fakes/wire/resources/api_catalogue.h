#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference/release/rule_set.h"

namespace nodebound {

struct ApiSubresourceEntry {
  std::string name;
  std::string kind;           ///< of the objects sent and answered; empty: the resource's own
  std::string group_version;  ///< likewise
  std::string of;             ///< the one version of the group that has it; empty: all versions
  std::vector<std::string> verbs;
  bool connect = false;
  bool keeps_metadata = false;
  ReleaseRange range;
};

struct ApiDeprecation {
  std::string since;
  std::string unavailable;  ///< from that release on; may be empty
  std::string use;          ///< may be empty
  ReleaseRange range;
};

struct ApiVersionEntry {
  std::string version;
  std::vector<std::string> verbs;  ///< empty: the resource's own
  bool on_request = false;
  ReleaseRange range;
  std::optional<ApiDeprecation> deprecated = {};
};

struct ApiFieldEntry {
  std::string field;
  ReleaseRange range;
};

/// An entry of resources.toml, which says what its fields mean.
struct ApiResourceEntry {
  std::string group;
  std::string resource;
  std::string kind;
  std::vector<std::string> short_names;
  std::vector<std::string> categories;
  std::vector<ApiFieldEntry> fields;
  bool namespaced = false;
  std::vector<std::string> verbs;
  bool create_on_update = false;
  bool status_on_create = false;
  bool answers_deleted = false;
  bool needs_version = false;
  bool uncached = false;
  std::string names;
  std::vector<ApiVersionEntry> versions;
  std::vector<ApiSubresourceEntry> subresources;

  /// The newest API version in which any release serves it.
  [[nodiscard]] const std::string& newest_version() const;
};

/// A resource that authorizers are asked about although no API server serves it: see resources.toml.
struct ReviewedResource {
  std::string group;
  std::string resource;
  std::string subresource;
  std::vector<std::string> verbs;  ///< verbs that only reviews ask about
  bool namespaced = false;
};

/// The API resources of all releases: read once, never changed.
class ApiCatalogue {
 public:
  /// The table this binary was built with.
  static const ApiCatalogue& built_in();

  /// Reads the data file; errors carry `name:line:column`.
  static Result<ApiCatalogue> parse(std::string_view resources);

  [[nodiscard]] const std::vector<ApiResourceEntry>& entries() const { return entries_; }

  [[nodiscard]] const std::vector<ReviewedResource>& reviewed() const { return reviewed_; }

  /// The resource with that plural; without a group, the first in any group.
  [[nodiscard]] const ApiResourceEntry* find(std::string_view resource, std::optional<std::string_view> group) const;

  /// The resource of that kind, in whatever release.
  [[nodiscard]] const ApiResourceEntry* find_kind(std::string_view group, std::string_view kind) const;

  /// The resource that kubectl knows by that short name: `po`, `csr`.
  [[nodiscard]] const ApiResourceEntry* find_short(std::string_view name, std::optional<std::string_view> group) const;

  /// The entry for a resource that is only reviewed, never served, whatever its subresource.
  [[nodiscard]] const ReviewedResource* find_reviewed(std::string_view resource,
                                                      std::optional<std::string_view> group) const;

  /// Whether any release serves that subresource or reviews it.
  [[nodiscard]] bool has_subresource(std::string_view group, std::string_view resource,
                                     std::string_view subresource) const;

  /// Every feature gate that decides what is served, each once.
  [[nodiscard]] std::vector<std::string> gates() const;

 private:
  std::vector<ApiResourceEntry> entries_;
  std::vector<ReviewedResource> reviewed_;
};

/// Whether one version of an API comes before another, as Kubernetes orders them: v2, v1, v1beta2, v1beta1, v2alpha1.
bool is_newer_version(std::string_view version, std::string_view other);

}  // namespace nodebound
