#include "harness/reviewer/followed_cluster.h"

#include <array>
#include <string_view>

#include "fakes/wire/resources/api_resources.h"

namespace nodebound::reviewer {
namespace {

/// Group and resource of all that an authorizer or an admission plugin of the reference looks at.
constexpr std::array<std::pair<std::string_view, std::string_view>, 13> decisive = {{
    {"", "nodes"},
    {"", "pods"},
    {"", "persistentvolumeclaims"},
    {"", "persistentvolumes"},
    {"", "serviceaccounts"},
    {"storage.k8s.io", "volumeattachments"},
    {"storage.k8s.io", "csidrivers"},
    {"resource.k8s.io", "resourceslices"},
    {"certificates.k8s.io", "podcertificaterequests"},
    {"rbac.authorization.k8s.io", "roles"},
    {"rbac.authorization.k8s.io", "rolebindings"},
    {"rbac.authorization.k8s.io", "clusterroles"},
    {"rbac.authorization.k8s.io", "clusterrolebindings"},
}};

ObjectKey key_in(const FollowedCollection& collection, const Object& object) {
  return {collection.group, collection.resource, std::string(text(object, "metadata", "namespace")),
          std::string(text(object, "metadata", "name"))};
}

}  // namespace

std::vector<FollowedCollection> followed_collections(const RuleSet& rules) {
  const ApiResources resources(rules.release(), RuntimeConfig::defaults);
  std::vector<FollowedCollection> out;
  for (const auto& [group, resource] : decisive) {
    const auto versions = resources.versions_of(group, resource);
    if (versions.empty()) continue;
    const ApiResource& newest = versions.front();
    const std::string prefix = group.empty() ? "/api/" : "/apis/";
    out.push_back({std::string(group), std::string(resource), prefix + newest.group_version + "/" + newest.resource});
  }
  return out;
}

FollowedCluster::FollowedCluster(const RuleSet& rules, std::vector<FollowedCollection> collections)
    : collections_(std::move(collections)), cluster_(rules) {}

void FollowedCluster::listed(const FollowedCollection& collection, std::vector<Object> objects) {
  const std::unique_lock lock(mutex_);
  std::set<std::pair<std::string, std::string>> gone;
  cluster_.each(collection.group, collection.resource, "",
                [&](const ObjectKey& key, const Object&) { gone.emplace(key.namespace_, key.name); });
  for (Object& object : objects) {
    ObjectKey key = key_in(collection, object);
    gone.erase({key.namespace_, key.name});
    cluster_.put(key, std::move(object));
  }
  for (const auto& [namespace_, name] : gone) {
    cluster_.erase({collection.group, collection.resource, namespace_, name});
  }
  listed_.insert(collection.path);
}

void FollowedCluster::put(const FollowedCollection& collection, Object object) {
  const ObjectKey key = key_in(collection, object);
  const std::unique_lock lock(mutex_);
  cluster_.put(key, std::move(object));
}

void FollowedCluster::erase(const FollowedCollection& collection, const Object& object) {
  const std::unique_lock lock(mutex_);
  cluster_.erase(key_in(collection, object));
}

std::vector<std::string> FollowedCluster::missing() const {
  const std::shared_lock lock(mutex_);
  std::vector<std::string> out;
  for (const FollowedCollection& collection : collections_) {
    if (!listed_.contains(collection.path)) out.push_back(collection.path);
  }
  return out;
}

}  // namespace nodebound::reviewer
