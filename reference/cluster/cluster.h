#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "reference/cluster/kept_object.h"
#include "reference/cluster/node_graph.h"
#include "reference/cluster/object.h"
#include "reference/cluster/rbac_objects.h"
#include "reference/cluster/references.h"
#include "reference/release/rule_set.h"

namespace nodebound {

/// The key of an object: API group, resource (plural), namespace (empty for cluster-scoped objects) and name.
struct ObjectKey {
  std::string group;
  std::string resource;
  std::string namespace_;
  std::string name;
};

/// The API objects that decisions depend on, with the node graph and RBAC objects derived from them.
class Cluster {
 public:
  /// Contains the bootstrap roles of the rule set from the start. `rules` must outlive the cluster.
  explicit Cluster(const RuleSet& rules);

  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;

  /// Null if there is none.
  [[nodiscard]] ObjectPtr find(const ObjectKey& key) const;
  [[nodiscard]] ObjectPtr find(std::string_view group, std::string_view resource, std::string_view namespace_,
                               std::string_view name) const;
  [[nodiscard]] KeptObject find_kept(const ObjectKey& key) const;

  /// Visits the objects of a resource in order of namespace and name; an empty namespace means all.
  void each(std::string_view group, std::string_view resource, std::string_view namespace_,
            const std::function<void(const ObjectKey&, const Object&)>& visit) const;

  /// The same with shared objects and without a copy of the key.
  using SharedVisitor =
      std::function<void(const std::string& namespace_, const std::string& name, const ObjectPtr& object)>;
  void each_shared(std::string_view group, std::string_view resource, std::string_view namespace_,
                   const SharedVisitor& visit) const;

  /// The same without opening them.
  using KeptVisitor =
      std::function<void(const std::string& namespace_, const std::string& name, const KeptObject& object)>;
  void each_kept(std::string_view group, std::string_view resource, std::string_view namespace_,
                 const KeptVisitor& visit) const;

  /// The same for the objects of one name.
  void each_named(std::string_view group, std::string_view resource, std::string_view namespace_, std::string_view name,
                  const KeptVisitor& visit) const;

  /// The same for the pods bound to a node.
  void each_pod_of_node(std::string_view node, std::string_view namespace_, const KeptVisitor& visit) const;

  void put(const ObjectKey& key, Object object);
  void put_shared(const ObjectKey& key, KeptObject object);
  void erase(const ObjectKey& key);

  [[nodiscard]] const ReferenceFinder& references() const { return finder_; }
  [[nodiscard]] const NodeGraph& graph() const { return graph_; }
  [[nodiscard]] const RbacObjects& rbac() const { return rbac_; }

 private:
  using NamesOfNamespace = std::map<std::string, KeptObject, std::less<>>;
  using Objects = std::map<std::string, NamesOfNamespace, std::less<>>;

  /// The place of a pod: entries of the maps, which do not move.
  struct Place {
    const Objects::value_type* in = nullptr;
    const NamesOfNamespace::value_type* of = nullptr;
  };
  using Places = std::vector<Place>;

  static bool before(const Place& a, const Place& b);
  void bind(const Place& pod, std::string_view node);
  void unbind(const Place& pod, std::string_view node);
  [[nodiscard]] const KeptObject* place_of(std::string_view group, std::string_view resource,
                                           std::string_view namespace_, std::string_view name) const;
  void follow_pod(const ObjectKey& key, const ObjectPtr& before, const Object& pod);
  void follow(const ObjectKey& key, const Place& place, const KeptObject& before, const Object& object);
  void follow_config_source(const std::string& node, const Object& object);
  void forget(const ObjectKey& key);
  [[nodiscard]] bool graph_looks_again(const Object& before, const Object& pod) const;

  const RuleSet& rules_;
  ReferenceFinder finder_;
  std::map<std::string, Objects, std::less<>> resources_;  ///< by `group/resource`
  /// By node, each in the order of namespace and name, as kube-apiserver's watch cache indexes pods.
  std::map<std::string, Places, std::less<>> pods_of_nodes_;
  NodeGraph graph_;
  RbacObjects rbac_;
};

}  // namespace nodebound
