#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "fakes/validation/metadata.h"
#include "fakes/wire/media_type.h"
#include "fakes/wire/resources/api_catalogue.h"
#include "reference/cluster/object.h"

namespace nodebound {

struct ApiSubresource {
  std::string name;
  std::string kind;           ///< of the objects sent and answered
  std::string group_version;  ///< likewise
  std::vector<std::string> verbs;
  bool connect = false;         ///< the answer is not an object
  bool keeps_metadata = false;  ///< an update through it changes no labels, annotations, owners or finalizers

  [[nodiscard]] bool serves(std::string_view verb) const;
};

/// A resource in one version of its group, as a release serves it.
struct ApiResource {
  std::string group;
  std::string version;
  std::string group_version;  ///< `v1`, `apps/v1`: the apiVersion of the objects
  std::string resource;
  std::string singular;
  std::string kind;
  std::vector<std::string> short_names;
  std::vector<std::string> categories;
  std::vector<std::string> fields;  ///< that field selectors may name; empty: only metadata.name and metadata.namespace
  bool namespaced = false;
  std::vector<std::string> verbs;
  bool create_on_update = false;
  bool status_on_create = false;
  bool answers_deleted = false;  ///< a delete is answered with the object
  bool needs_version = false;    ///< an update must name the resourceVersion it is based on
  bool uncached = false;         ///< has no watch cache: etcd answers every read
  validation::NameRule names = validation::NameRule::subdomain;
  const Release* release = nullptr;  ///< the release that serves it
  bool by_default = true;            ///< false: only --runtime-config enables it
  std::string deprecation = {};      ///< what its answers warn of; empty if it is not deprecated
  std::vector<ApiSubresource> subresources;
  /// The version of the CustomResourceDefinition that defines it; null for Kubernetes' own resources.
  std::shared_ptr<const Object> definition = nullptr;

  [[nodiscard]] bool serves(std::string_view verb) const;
  [[nodiscard]] const ApiSubresource* subresource(std::string_view name) const;  ///< null if there is none
};

/// The kind that is sent and answered: the subresource's, if it has one of its own, or else the resource's.
GroupVersionKind kind_of(const ApiResource& resource, const ApiSubresource* subresource = nullptr);

/// Which APIs --runtime-config enables when an API server starts.
enum class RuntimeConfig { defaults, api_all };

/// The API resources that a release serves with its feature gates.
class ApiResources {
 public:
  explicit ApiResources(const Release& release, RuntimeConfig config = RuntimeConfig::api_all,
                        const ApiCatalogue& catalogue = ApiCatalogue::built_in());

  /// The same resources, and more.
  ApiResources(const ApiResources& base, std::vector<ApiResource> more);

  ApiResources(const ApiResources&) = delete;
  ApiResources& operator=(const ApiResources&) = delete;

  /// The release that serves these resources.
  [[nodiscard]] const Release& release() const { return release_; }

  /// Group by group; versions of the same resource follow each other, the newest first.
  [[nodiscard]] std::span<const ApiResource> all() const { return resources_; }

  /// Null if the release does not serve it.
  [[nodiscard]] const ApiResource* find(std::string_view group, std::string_view version,
                                        std::string_view resource) const;

  /// The versions of a resource that are served, the newest first.
  [[nodiscard]] std::span<const ApiResource> versions_of(std::string_view group, std::string_view resource) const;

  /// The resource of that kind, in the newest version that has it; null if there is none.
  [[nodiscard]] const ApiResource* find_kind(std::string_view group, std::string_view kind) const;

  /// Groups with their versions, the newest first, in the order of the catalogue.
  struct Group {
    std::string name;
    std::vector<std::string> versions;
    std::string preferred;  ///< the newest version that is served by default, or else the newest of all
  };
  [[nodiscard]] std::span<const Group> groups() const { return groups_; }
  [[nodiscard]] const Group* find_group(std::string_view name) const;

  /// `v1`, `apps/v1`, … in the order of `groups`.
  [[nodiscard]] std::vector<std::string> group_versions() const;

 private:
  struct Key {
    std::string_view group;
    std::string_view version;
    std::string_view resource;

    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const;
  };

  void add(const ApiResourceEntry& entry, RuntimeConfig config);
  void index();
  void add_to_group(const ApiResource& resource);

  Release release_;
  std::vector<ApiResource> resources_;
  std::vector<Group> groups_;
  std::unordered_map<Key, const ApiResource*, KeyHash> by_key_;
};

/// `v1` of the core group, `apps/v1` of another.
std::string group_version_of(std::string_view group, std::string_view version);

}  // namespace nodebound
