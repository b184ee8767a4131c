#pragma once

#include <memory>
#include <mutex>
#include <set>
#include <shared_mutex>
#include <string>
#include <utility>
#include <vector>

#include "reference/cluster/cluster.h"

namespace nodebound::reviewer {

/// A collection that is followed, in the version that is read.
struct FollowedCollection {
  std::string group;
  std::string resource;
  std::string path;  ///< `/api/v1/pods`
};

/// What the reference decides by: pods, what they refer to, roles, and more. Those that the release serves.
std::vector<FollowedCollection> followed_collections(const RuleSet& rules);

/// The objects of a running cluster, as far as they have been seen. Thread-safe.
class FollowedCluster {
 public:
  /// `rules` must outlive it.
  FollowedCluster(const RuleSet& rules, std::vector<FollowedCollection> collections);

  [[nodiscard]] const std::vector<FollowedCollection>& collections() const { return collections_; }

  /// All objects of a collection; what is not among them is gone.
  void listed(const FollowedCollection& collection, std::vector<Object> objects);
  void put(const FollowedCollection& collection, Object object);
  void erase(const FollowedCollection& collection, const Object& object);

  /// The paths of the collections that were never listed.
  [[nodiscard]] std::vector<std::string> missing() const;

  /// Calls `use` while nothing changes.
  template <typename Use>
  auto with(Use use) const {
    const std::shared_lock lock(mutex_);
    return use(cluster_);
  }

  /// The objects, for authorizers and plugins that are used within `with` alone.
  [[nodiscard]] const Cluster& cluster() const { return cluster_; }

 private:
  const std::vector<FollowedCollection> collections_;
  mutable std::shared_mutex mutex_;
  Cluster cluster_;
  std::set<std::string> listed_;  ///< paths
};

}  // namespace nodebound::reviewer
