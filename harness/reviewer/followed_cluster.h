#pragma once

#include <array>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "reference/cluster/cluster.h"
#include "reference/cluster/two_copies.h"

namespace nodebound::reviewer {

/// A collection that is followed, in the version that is read.
struct FollowedCollection {
  std::string group;
  std::string resource;
  std::string path;  ///< `/api/v1/pods`
};

/// What the reference decides by, with these admission plugins: pods, what they refer to, roles, and more. Those that
/// the release serves.
std::vector<FollowedCollection> followed_collections(const RuleSet& rules, const std::set<std::string>& plugins = {});

/// The objects of a running cluster, as far as they have been seen. Thread-safe: whoever reads waits for nobody.
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

  /// Calls `use` with one of the clusters, which does not change meanwhile.
  template <typename Use>
  auto with(Use use) const {
    return clusters_.read(use);
  }

  /// The two that `with` uses, for authorizers and plugins that are used within `with` alone.
  [[nodiscard]] const std::array<Cluster, 2>& clusters() const { return clusters_.both(); }

 private:
  const std::vector<FollowedCollection> collections_;
  TwoCopies<Cluster> clusters_;
  mutable std::mutex mutex_;
  std::set<std::string> listed_;  ///< paths; guarded by `mutex_`
};

}  // namespace nodebound::reviewer
