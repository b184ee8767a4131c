#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "harness/objects/cluster_file.h"
#include "harness/replay/audit_event.h"
#include "reference/cluster/cluster.h"

namespace nodebound::replay {

/// The objects of the cluster at the moment that the replay has reached, as far as a dump and the bodies in the log
/// show them, at two releases. API servers learn of a write a little later than it is answered, so each release has a
/// cluster with all writes and one without the latest.
class ReplayedCluster {
 public:
  struct View {
    explicit View(const RuleSet& rules) : now(rules), before(rules) {}
    Cluster now;
    Cluster before;  ///< as it was a moment ago
  };

  /// The rules must outlive it. An object of the dump is there from its creation on. Unless `node_role_bound`, the
  /// cluster at the release one is going to has no binding of ClusterRole system:node.
  ReplayedCluster(const RuleSet& from, const RuleSet& to, std::vector<ClusterObject> dump, bool node_role_bound = true);

  /// An object that only the cluster at the release one is going to has.
  void add_to_target(const ClusterObject& entry);

  /// Time goes on; requests are never decided on what comes later.
  void advance(LoggedRequest::Micros now);
  /// What a write has changed.
  void apply(const LoggedRequest& write, LoggedRequest::Micros now);

  [[nodiscard]] const View& from() const { return from_; }
  [[nodiscard]] const View& to() const { return to_; }
  /// Whether an object of that namespace, or of none, changed a moment ago.
  [[nodiscard]] bool changed_lately(const std::string& namespace_) const;
  [[nodiscard]] bool has_rbac() const { return has_rbac_; }

 private:
  struct Change {
    LoggedRequest::Micros at;
    ObjectKey key;
    std::shared_ptr<const Object> object;  ///< null: it is gone
  };

  /// The object as a server of the release one is going to has it.
  [[nodiscard]] std::shared_ptr<const Object> in_target(const ObjectKey& key,
                                                        const std::shared_ptr<const Object>& object) const;
  void change(const ObjectKey& key, std::shared_ptr<const Object> object, LoggedRequest::Micros now);
  void apply_eviction(ObjectKey key, const LoggedRequest& write, LoggedRequest::Micros now);
  void apply_delete(const ObjectKey& key, const LoggedRequest& write, LoggedRequest::Micros now);

  View from_;
  View to_;
  RbacObjects bootstrap_;  ///< what a server of the release one is going to adds to the bootstrap roles
  std::multimap<LoggedRequest::Micros, ClusterObject> to_come_;  ///< of the dump
  std::deque<Change> recent_;
  bool has_rbac_ = false;
  bool node_role_bound_ = true;
};

}  // namespace nodebound::replay
