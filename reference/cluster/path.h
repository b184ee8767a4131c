#pragma once

#include <optional>
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
  /// The rule by which the object leads to the next step, or for the last step, to its node.
  Rule edge = Rule::graph_pod_bound;

  bool operator==(const PathStep&) const = default;
};

/// A way from an object that does not lead to the node, although it comes close.
struct NearMiss {
  enum class Cause {
    not_there,      ///< the last step should itself name its node or claim, but does not exist
    unnamed,        ///< nothing references the last step
    unclaimed,      ///< the last step is a volume that names no claim
    other_node,     ///< the way ends at `node`, which is another one
    unbound,        ///< the last step names no node
    mirror_pod,     ///< a mirror pod's references do not tie objects to its node
    hidden_secret,  ///< only controllers use the Secret
    not_in_force,   ///< the way needs `rule`, which is not in force at this release
  };

  std::vector<PathStep> steps;  ///< from the object on; the edge of the last step has no meaning
  Cause cause;
  Rule rule = Rule::graph_pod_bound;  ///< the rule that makes it a near miss
  std::string node;                   ///< where the way ends, if anywhere
};

/// A shortest way from the object to the node; empty if the object does not lead there. It searches the objects, so it
/// serves explanations only: decisions ask the graph.
std::vector<PathStep> path_to_node(const RuleSet& rules, const Cluster& cluster, const PathStep& from,
                                   std::string_view node);

/// All ways from the object that do not lead to the node, and why.
std::vector<NearMiss> near_misses(const RuleSet& rules, const Cluster& cluster, const PathStep& from,
                                  std::string_view node);

/// The field by which a rule ties objects, such as `spec.nodeName`; several are joined by ` or `.
std::string field_of(const Catalogue& catalogue, Rule edge);

/// The kind of object whose tie to the node a rule of the Node authorizer checks; nothing if it checks none.
std::optional<ObjectKind> tied_kind(Rule rule);

}  // namespace nodebound
