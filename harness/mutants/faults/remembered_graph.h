#pragma once

#include <map>
#include <set>
#include <string>

#include "fakes/store/change.h"
#include "harness/mutants/mutant.h"
#include "reference/cluster/cluster.h"

namespace nodebound::mutants {

/// A cluster as an observer sees it that misses some deletions. It may lack present objects, so its users also ask the
/// true cluster.
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
  std::map<std::string, KeptObject> deleted_;  ///< by path
  std::set<std::string> outdated_;             ///< paths of objects of which it has an older state
};

}  // namespace nodebound::mutants
