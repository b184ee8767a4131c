#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "harness/simulate/cluster_administrator.h"
#include "harness/simulate/plan.h"

namespace nodebound {

/// The DaemonSets of a plan, and the scheduler of pods that nobody has bound.
class DaemonSets {
 public:
  DaemonSets(const Plan& plan, LoadBalancer& servers)
      : administrator_(servers), sets_(plan.daemon_sets), pods_(plan.daemon_sets.size()) {}

  [[nodiscard]] bool empty() const { return sets_.empty(); }
  void select(std::size_t set, std::map<std::string, std::string> node_selector) {
    sets_[set].node_selector = std::move(node_selector);
  }

  /// Makes the pods that are missing, and deletes those on Nodes that are not selected any more.
  void place(const std::vector<Object>& nodes);
  /// Binds pods without a node to the Node that fits and has the fewest of them.
  void schedule(const std::vector<Object>& nodes);

  /// `daemonset logging: 3 of 4 nodes` of each that has fewer than when it was last asked; nodes count as `weight_of`
  /// says.
  std::vector<std::string> losses(const std::function<std::size_t(const std::string&)>& weight_of);

 private:
  ClusterAdministrator administrator_;
  std::vector<Plan::DaemonSet> sets_;
  std::vector<std::set<std::string>> pods_;  ///< names of their nodes, by set
  std::vector<std::size_t> counted_;
  std::map<std::string, std::size_t> scheduled_;  ///< by node
};

}  // namespace nodebound
