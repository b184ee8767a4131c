#pragma once

#include <map>
#include <set>
#include <string>

#include "fakes/store/change.h"
#include "harness/mutants/mutant.h"
#include "reference/cluster/cluster.h"

namespace nodebound {

/// A cluster as somebody knows it who does not take away all that is gone. What is there now it may not know: whoever
/// asks it has asked the true one before.
class RememberedGraph {
 public:
  /// `rules` must outlive it.
  RememberedGraph(const RuleSet& rules, GraphFault::What what) : what_(what), cluster_(rules) {}

  void changed(const ObjectKey& key, const Change& change);

  [[nodiscard]] const Cluster& cluster() const { return cluster_; }

 private:
  [[nodiscard]] bool forgets(const ObjectKey& key) const;

  GraphFault::What what_;
  Cluster cluster_;
  std::map<std::string, ObjectPtr> deleted_;  ///< by path
  std::set<std::string> outdated_;            ///< paths of objects that it knows as they were before
};

}  // namespace nodebound
