#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reference/release/rule_ids.h"

namespace nodebound {

/// Kinds of objects that a node can be tied to.
enum class ObjectKind : std::uint8_t {
  secret,
  configmap,
  persistentvolumeclaim,
  persistentvolume,
  serviceaccount,
  resourceclaim,
  volumeattachment,
  resourceslice,
  pod,
  podcertificaterequest,
};

/// The enumerator's name, as `edge.from` in the catalogue spells it.
std::string_view to_string(ObjectKind kind);

/// What ties objects to nodes: a pod to its node, what the pod references to the pod, a volume to its claim, a volume's
/// Secrets to the volume (plugin/pkg/auth/authorizer/node/graph.go).
///
/// Each object keeps a count of the paths to every node it leads to, kept up to date by every change. So the question
/// "does this object lead to that node" is two look-ups and no search, however many pods share the object.
class NodeGraph {
 public:
  /// An object that a pod or a volume names, and the rule that makes the name count.
  struct Reference {
    ObjectKind kind;
    std::string_view namespace_;
    std::string_view name;
    Rule edge;
  };

  NodeGraph();
  ~NodeGraph();
  NodeGraph(NodeGraph&&) noexcept;
  NodeGraph& operator=(NodeGraph&&) noexcept;

  /// Ties a pod and what it references to its node; replaces what was known of that pod.
  void put_pod(std::string_view namespace_, std::string_view name, std::string_view node,
               std::span<const Reference> references);
  void remove_pod(std::string_view namespace_, std::string_view name);

  /// Ties a volume to the claim it is bound to, and Secrets to the volume; replaces what was known of that volume.
  void put_volume(std::string_view name, std::string_view claim_namespace, std::string_view claim,
                  std::span<const Reference> secrets);
  void remove_volume(std::string_view name);

  /// Ties an object that names its node itself: a volume attachment, resource slice or pod certificate request.
  void put_owned(ObjectKind kind, std::string_view namespace_, std::string_view name, std::string_view node);
  void remove_owned(ObjectKind kind, std::string_view namespace_, std::string_view name);

  /// Whether the object leads to the node.
  [[nodiscard]] bool leads(ObjectKind kind, std::string_view namespace_, std::string_view name,
                           std::string_view node) const;

  [[nodiscard]] std::size_t object_count() const { return index_.size(); }

 private:
  using Id = std::uint32_t;
  static constexpr Id none = UINT32_MAX;

  /// How many paths lead to each node. Nearly always there is one node, which needs no table.
  class Destinations {
   public:
    [[nodiscard]] bool has(Id node) const {
      if (node_ == node) return true;
      return more_ != nullptr && more_->contains(node);
    }
    void add(Id node, std::uint32_t paths);
    void subtract(Id node, std::uint32_t paths);
    template <typename Visit>
    void each(Visit visit) const {
      if (node_ != none) visit(node_, paths_);
      if (more_ == nullptr) return;
      for (const auto& [node, paths] : *more_) visit(node, paths);
    }

   private:
    Id node_ = none;
    std::uint32_t paths_ = 0;
    std::unique_ptr<boost::unordered_flat_map<Id, std::uint32_t>> more_;
  };

  struct Object {
    std::uint32_t hash = 0;
    std::uint32_t name_at = 0;  ///< in names_
    std::uint32_t namespace_ = 0;
    std::uint32_t uses = 0;  ///< references from and to it; at zero it is forgotten
    std::uint16_t name_size = 0;
    ObjectKind kind = ObjectKind::secret;
    Destinations destinations;
  };

  struct Key {
    ObjectKind kind;
    std::string_view namespace_;
    std::string_view name;
    [[nodiscard]] std::uint32_t hash() const;
  };
  struct Hash {
    using is_transparent = void;
    const NodeGraph* graph;
    std::size_t operator()(Id id) const { return spread(graph->objects_[id].hash); }
    std::size_t operator()(const Key& key) const { return spread(key.hash()); }
    static std::size_t spread(std::uint32_t hash) { return hash * 0x9E3779B97F4A7C15ULL; }
  };
  struct Equal {
    using is_transparent = void;
    const NodeGraph* graph;
    bool operator()(Id a, Id b) const { return a == b; }
    bool operator()(const Key& key, Id id) const { return graph->is(id, key); }
    bool operator()(Id id, const Key& key) const { return graph->is(id, key); }
  };

  struct PodEdges {
    Id node = none;
    std::uint32_t count = 0;
    std::unique_ptr<Id[]> references;
  };
  struct VolumeEdges {
    Id claim = none;
    std::vector<Id> secrets;
  };

  [[nodiscard]] bool is(Id id, const Key& key) const;
  [[nodiscard]] std::string_view name_of(const Object& object) const;
  [[nodiscard]] Id find(const Key& key) const;
  Id intern(const Key& key);
  Id intern_node(std::string_view name);
  void release(Id id);
  void compact_names();
  void add_paths(Id id, Id node, std::uint32_t paths);
  void subtract_paths(Id id, Id node, std::uint32_t paths);

  struct StringHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  using Names = boost::unordered_flat_map<std::string, Id, StringHash, std::equal_to<>>;
  using Index = boost::unordered_flat_set<Id, Hash, Equal>;

  Names nodes_;
  Names namespace_ids_;
  std::vector<std::string> namespaces_;
  std::vector<char> names_;
  std::size_t dead_name_bytes_ = 0;
  std::vector<Object> objects_;
  std::vector<Id> free_;
  Index index_;
  boost::unordered_flat_map<Id, PodEdges> pods_;
  boost::unordered_flat_map<Id, VolumeEdges> volumes_;
  boost::unordered_flat_map<Id, Id> owned_;                      ///< object to node
  boost::unordered_flat_map<Id, std::vector<Id>> claim_volumes_;  ///< claim to the volumes bound to it
};

}  // namespace nodebound
