#pragma once

#include <functional>
#include <memory>
#include <string>

#include "harness/endpoint/credentials/kubeconfig.h"
#include "harness/endpoint/https_client.h"
#include "harness/reviewer/followed_cluster.h"

namespace nodebound::reviewer {

/// Follows one collection as client-go's reflector does: a list, a watch from its version, a new watch when one ends,
/// and a new list when the version is no longer known. It tries again, for as long as it takes, whatever fails.
class CollectionFollower {
 public:
  /// Told of what goes wrong for the second time in a row, once for each kind of failure.
  using Complain = std::function<void(const std::string&)>;

  /// All must outlive it.
  CollectionFollower(const Kubeconfig& kubeconfig, const FollowedCollection& collection, FollowedCluster& cluster,
                     Complain complain)
      : kubeconfig_(kubeconfig), collection_(collection), cluster_(cluster), complain_(std::move(complain)) {}

  /// Returns once the process was asked to end (signals.h).
  void run();

 private:
  Result<std::unique_ptr<HttpClient>> client(std::chrono::seconds time) const;
  Result<void> list();
  /// An error unless the watch ended as watches do.
  Result<void> watch();
  bool take(std::string_view line);
  void failed(const Error& error);

  const Kubeconfig& kubeconfig_;
  const FollowedCollection& collection_;
  FollowedCluster& cluster_;
  const Complain complain_;
  std::string version_;  ///< empty: a list is due
  std::string last_failure_;
  int failures_ = 0;
};

}  // namespace nodebound::reviewer
