#pragma once

#include <list>
#include <optional>
#include <string>
#include <vector>

#include "reference/cluster/node_graph.h"
#include "reference/cluster/object.h"
#include "reference/release/rule_set.h"

namespace nodebound {

/// The objects that a pod or a volume references. The names are views into the object they were read from, or into
/// `made`.
struct References {
  std::vector<NodeGraph::Reference> items;
  std::list<std::string> made;
};

/// Finds the objects that pods and volumes reference, along the paths of the catalogue's edge rules that are in force
/// (pkg/api/v1/pod/util.go, pkg/api/v1/persistentvolume/util.go). Empty names are skipped.
class ReferenceFinder {
 public:
  explicit ReferenceFinder(const RuleSet& rules);

  /// The references that tie objects to a bound pod's node: all of them, or none for a mirror pod.
  [[nodiscard]] References of_pod(const Object& pod) const;
  /// All references of a pod, mirror pod or not.
  [[nodiscard]] References named_by(const Object& pod) const;
  [[nodiscard]] References of_volume(const Object& volume) const;
  /// The node that an object itself names, and the rule that makes this count; nothing if it names none.
  struct OwnNode {
    std::string_view name;
    Rule edge;
  };
  [[nodiscard]] std::optional<OwnNode> own_node(ObjectKind kind, const Object& object) const;

 private:
  /// The paths of all edge rules as one tree, so that a pod is traversed only once.
  struct Step {
    std::string name;
    bool list = false;
    std::vector<Step> next;
    bool leaf = false;
    ObjectKind kind = ObjectKind::secret;
    Rule edge = Rule::edge_secret_volume;
  };
  struct VolumeEdge {
    ObjectKind kind;
    Rule edge;
    EdgeRule::VolumePath path;
  };

  struct NodePath {
    ObjectKind kind;
    std::string_view path;
    Rule edge;
  };

  void add_path(std::string_view path, ObjectKind kind, Rule edge);
  static void walk(const Step& step, const Object& value, std::string_view namespace_, References& found);
  void claims_of_pod(const Object& pod, std::string_view namespace_, References& found) const;

  const RuleSet& rules_;
  Step pod_paths_;
  std::vector<VolumeEdge> volume_edges_;
  std::vector<NodePath> node_paths_;
};

}  // namespace nodebound
