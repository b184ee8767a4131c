#include "harness/reviewer/followed_cluster.h"

#include <array>
#include <memory>
#include <string_view>
#include <utility>

#include "fakes/wire/resources/api_resources.h"
#include "reference/admission/owner_references.h"
#include "reference/admission/pod_placement.h"

namespace nodebound::reviewer {
namespace {

using GroupAndResource = std::pair<std::string_view, std::string_view>;

/// What the authorizers look at, and the admission plugins that are on by default.
constexpr std::array<GroupAndResource, 13> decisive = {{
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

/// What other admission plugins look at.
constexpr std::array<std::pair<std::string_view, GroupAndResource>, 3> decisive_for = {{
    {PodNodeSelector::plugin_name, {"", "namespaces"}},
    {PodTolerationRestriction::plugin_name, {"", "namespaces"}},
    {OwnerReferencesPermissionEnforcement::plugin_name, {"apiextensions.k8s.io", "customresourcedefinitions"}},
}};

ObjectKey key_in(const FollowedCollection& collection, const Object& object) {
  return {collection.group, collection.resource, std::string(text(object, "metadata", "namespace")),
          std::string(text(object, "metadata", "name"))};
}

/// An object that both clusters share.
struct Keyed {
  ObjectKey key;
  std::shared_ptr<const Object> object;
};

Keyed keyed(const FollowedCollection& collection, Object object) {
  ObjectKey key = key_in(collection, object);
  return {std::move(key), std::make_shared<const Object>(std::move(object))};
}

void replace(Cluster& cluster, const FollowedCollection& collection, const std::vector<Keyed>& objects) {
  std::set<std::pair<std::string, std::string>> gone;
  cluster.each(collection.group, collection.resource, "",
               [&](const ObjectKey& key, const Object&) { gone.emplace(key.namespace_, key.name); });
  for (const Keyed& put : objects) {
    gone.erase({put.key.namespace_, put.key.name});
    cluster.put_shared(put.key, put.object);
  }
  for (const auto& [namespace_, name] : gone) {
    cluster.erase({collection.group, collection.resource, namespace_, name});
  }
}

}  // namespace

std::vector<FollowedCollection> followed_collections(const RuleSet& rules, const std::set<std::string>& plugins) {
  std::set<GroupAndResource> wanted(decisive.begin(), decisive.end());
  for (const auto& [plugin, looked_at] : decisive_for) {
    if (plugins.contains(std::string(plugin))) wanted.insert(looked_at);
  }
  const ApiResources resources(rules.release(), RuntimeConfig::defaults);
  std::vector<FollowedCollection> out;
  for (const auto& [group, resource] : wanted) {
    const auto versions = resources.versions_of(group, resource);
    if (versions.empty()) continue;
    const ApiResource& newest = versions.front();
    const std::string prefix = group.empty() ? "/api/" : "/apis/";
    out.push_back({std::string(group), std::string(resource), prefix + newest.group_version + "/" + newest.resource});
  }
  return out;
}

FollowedCluster::FollowedCluster(const RuleSet& rules, std::vector<FollowedCollection> collections)
    : collections_(std::move(collections)), clusters_([&] { return Cluster(rules); }) {}

void FollowedCluster::listed(const FollowedCollection& collection, std::vector<Object> objects) {
  std::vector<Keyed> listed;
  listed.reserve(objects.size());
  for (Object& object : objects) listed.push_back(keyed(collection, std::move(object)));
  clusters_.write([&](Cluster& cluster) { replace(cluster, collection, listed); });
  const std::lock_guard lock(mutex_);
  listed_.insert(collection.path);
}

void FollowedCluster::put(const FollowedCollection& collection, Object object) {
  const Keyed put = keyed(collection, std::move(object));
  clusters_.write([&](Cluster& cluster) { cluster.put_shared(put.key, put.object); });
}

void FollowedCluster::erase(const FollowedCollection& collection, const Object& object) {
  const ObjectKey key = key_in(collection, object);
  clusters_.write([&](Cluster& cluster) { cluster.erase(key); });
}

std::vector<std::string> FollowedCluster::missing() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> out;
  for (const FollowedCollection& collection : collections_) {
    if (!listed_.contains(collection.path)) out.push_back(collection.path);
  }
  return out;
}

}  // namespace nodebound::reviewer
