#pragma once

#include <chrono>
#include <deque>
#include <map>
#include <string>

#include "fakes/store/change.h"
#include "reference/cluster/cluster.h"

namespace nodebound {

/// A cluster that learns of changes late, as through informers; the changes of each resource stay in order.
class DelayedCluster {
 public:
  using Time = std::chrono::system_clock::time_point;

  explicit DelayedCluster(const RuleSet& rules) : cluster_(rules) {}

  [[nodiscard]] const Cluster& cluster() const { return cluster_; }

  /// Adds an object that is known from the start.
  void put(const ObjectKey& key, KeptObject object) { cluster_.put_shared(key, std::move(object)); }
  /// Schedules the change for that time, or for when the resource's earlier changes become known, if that is later.
  void changed(const ObjectKey& key, std::shared_ptr<const Change> change, Time known_at);

  [[nodiscard]] bool has_news(Time now) const;
  /// Applies the changes whose time has come.
  void catch_up(Time now);

 private:
  struct News {
    ObjectKey key;
    std::shared_ptr<const Change> change;
    Time known_at;
  };
  Cluster cluster_;
  std::map<std::string, std::deque<News>> news_;  ///< by `group/resource`
};

}  // namespace nodebound
