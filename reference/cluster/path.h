#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reference/cluster/cluster.h"

namespace nodebound {

/// An object on a way through the node graph.
struct PathStep {
  ObjectKind kind;
  std::string namespace_;
  std::string name;
  /// Why the object leads to the step after it, and the last one to its node.
  Rule edge = Rule::graph_pod_bound;

  bool operator==(const PathStep&) const = default;
};

/// A way from an object towards a node that does not lead there.
struct NearMiss {
  enum class Cause {
    not_there,      ///< the last step has to name its node or its claim itself, but no such object exists
    unnamed,        ///< nothing names the last step
    unclaimed,      ///< the last step is a volume that names no claim
    other_node,     ///< it ends at `node`, which is another one
    unbound,        ///< the last step names no node
    mirror_pod,     ///< what a mirror pod references is not tied to its node
    hidden_secret,  ///< only controllers use the Secret
    not_in_force,   ///< `rule`, which the way needs, is not in force at this release
  };

  std::vector<PathStep> steps;  ///< from the object on; the edge of the last says nothing
  Cause cause;
  Rule rule = Rule::graph_pod_bound;  ///< that makes it a miss
  std::string node;                   ///< where it ends, if at any
};

/// A way from the object to the node, as short as any; empty if the object does not lead there. It is found by search
/// through the objects, so it is for explaining: decisions ask the graph.
std::vector<PathStep> path_to_node(const RuleSet& rules, const Cluster& cluster, const PathStep& from,
                                   std::string_view node);

/// All ways from the object that do not lead to the node, and why not.
std::vector<NearMiss> near_misses(const RuleSet& rules, const Cluster& cluster, const PathStep& from,
                                  std::string_view node);

/// The field by which a rule ties objects, as `spec.nodeName`; several are joined by ` or `.
std::string field_of(const Catalogue& catalogue, Rule edge);

}  // namespace nodebound
