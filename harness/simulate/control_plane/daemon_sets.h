#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "harness/simulate/control_plane/cluster_administrator.h"
#include "harness/simulate/plan/plan.h"

namespace nodebound::simulate {

/// The DaemonSets of a plan, and the scheduler of unbound pods.
class DaemonSets {
 public:
  DaemonSets(const Plan& plan, LoadBalancer& servers)
      : administrator_(servers), sets_(plan.daemon_sets), pods_(plan.daemon_sets.size()), before_(pods_.size()) {}

  [[nodiscard]] bool empty() const { return sets_.empty(); }
  void select(std::size_t set, std::map<std::string, std::string> node_selector) {
    sets_[set].node_selector = std::move(node_selector);
  }

  /// Creates missing pods, and deletes those on Nodes that are no longer selected.
  void place(std::vector<Object> nodes);
  /// Binds each pod without a node to the fitting Node with the fewest of them.
  void schedule();

  /// A DaemonSet that has pods on fewer nodes than at the last call.
  struct Loss {
    std::size_t set = 0;
    std::string name;
    std::size_t now = 0;
    std::size_t before = 0;
    std::map<std::string, std::size_t> causes;  ///< `nodes have no label a=b`, and how many nodes were lost for it

    /// `daemonset logging: 3 of 4 nodes`
    [[nodiscard]] std::string text() const;
  };
  using Weight = std::function<std::size_t(const std::string& node)>;
  /// Nodes count with the weight of `weight_of`.
  std::vector<Loss> losses(const Weight& weight_of);
  /// On how many nodes a DaemonSet has a pod.
  [[nodiscard]] std::size_t count(std::size_t set, const Weight& weight_of) const;

 private:
  ClusterAdministrator administrator_;
  std::vector<Plan::DaemonSet> sets_;
  [[nodiscard]] std::map<std::string, std::size_t> causes_of(std::size_t set, const Weight& weight_of) const;

  std::vector<std::set<std::string>> pods_;    ///< names of their nodes, by set
  std::vector<std::set<std::string>> before_;  ///< the same at the last call for losses
  std::vector<std::size_t> counted_;
  std::set<std::string> known_;                   ///< Nodes that existed then
  std::vector<Object> nodes_;                     ///< at the time of the last placement
  std::map<std::string, std::size_t> scheduled_;  ///< by node
};

}  // namespace nodebound::simulate
