#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reference/release/rule_ids.h"

namespace nodebound {

/// The kinds of objects that can be tied to a node.
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

/// The edges that tie objects to nodes: from a pod to its node, from an object to the pod that references it, from a
/// volume to its claim, from a Secret to the volume that uses it (plugin/pkg/auth/authorizer/node/graph.go).
///
/// Each object keeps a count of the paths to every node it leads to, updated on every change. So the question "does
/// this object lead to that node" takes two look-ups and no search, however many pods share the object.
class NodeGraph {
 public:
  /// An object that a pod or a volume references, and the rule that makes the reference count.
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

  /// Ties a pod and its referenced objects to its node; replaces what was known of that pod.
  void put_pod(std::string_view namespace_, std::string_view name, std::string_view node,
               std::span<const Reference> references);
  void remove_pod(std::string_view namespace_, std::string_view name);

  /// Ties a volume to the claim that it is bound to, and Secrets to the volume; replaces what was known of that volume.
  void put_volume(std::string_view name, std::string_view claim_namespace, std::string_view claim,
                  std::span<const Reference> secrets);
  void remove_volume(std::string_view name);

  /// Ties an object that itself names its node: a VolumeAttachment, ResourceSlice or PodCertificateRequest.
  void put_owned(ObjectKind kind, std::string_view namespace_, std::string_view name, std::string_view node);
  void remove_owned(ObjectKind kind, std::string_view namespace_, std::string_view name);

  /// Whether the object leads to the node.
  [[nodiscard]] bool leads(ObjectKind kind, std::string_view namespace_, std::string_view name,
                           std::string_view node) const;

  [[nodiscard]] std::size_t object_count() const { return index_.size(); }

 private:
  using Id = std::uint32_t;
  static constexpr Id none = UINT32_MAX;
  static constexpr Id many = UINT32_MAX - 1;

  /// A hash that is faster for short names than the library's; every decision computes it.
  static std::uint64_t hash_of(std::string_view text, std::uint64_t seed = 0);

  /// Numbers names, which many objects share.
  class Names {
   public:
    Id put(std::string_view name);
    [[nodiscard]] Id find(std::string_view name) const;
    [[nodiscard]] const std::string& operator[](Id id) const { return names_[id]; }

   private:
    struct Hash {
      using is_transparent = void;
      std::size_t operator()(std::string_view text) const { return hash_of(text); }
    };
    std::vector<std::string> names_;
    boost::unordered_flat_map<std::string, Id, Hash, std::equal_to<>> ids_;
  };

  /// Values under fixed numbers. Uses a deque, which neither moves its values nor reserves twice the room.
  template <typename T>
  class Pool {
   public:
    Id take() {
      if (free_.empty()) {
        values_.emplace_back();
        return static_cast<Id>(values_.size() - 1);
      }
      const Id id = free_.back();
      free_.pop_back();
      return id;
    }
    void give_back(Id id) {
      values_[id] = T();
      free_.push_back(id);
    }
    [[nodiscard]] T& operator[](Id id) { return values_[id]; }
    [[nodiscard]] const T& operator[](Id id) const { return values_[id]; }
    [[nodiscard]] auto begin() { return values_.begin(); }
    [[nodiscard]] auto end() { return values_.end(); }

   private:
    std::deque<T> values_;
    std::vector<Id> free_;
  };

  /// Clusters have hundreds of thousands of these, so they are kept small.
  struct Object {
    std::uint32_t hash = 0;
    std::uint32_t scope = 0;    ///< the number of its namespace, and its kind in the last four bits
    std::uint32_t name_at = 0;  ///< in names_
    std::uint32_t name_size = 0;
    std::uint32_t uses = 0;  ///< references to it, plus one if it is a pod or volume itself; forgotten at zero
    Id links = none;  ///< to the objects that lead wherever this one does: what a pod references, a claim's volumes
    Id node = none;   ///< the node that it leads to, or `many`
    std::uint32_t paths = 0;  ///< the number of paths to the one node; for `many`, a number in tables_
  };
  /// A link in a list of links.
  struct Link {
    Id to = none;
    Id next = none;
  };
  /// The number of paths to each node.
  using Destinations = boost::unordered_flat_map<Id, std::uint32_t>;

  struct Key {
    ObjectKind kind;
    std::string_view namespace_;
    std::string_view name;
    [[nodiscard]] std::uint32_t hash() const;
  };
  struct Hash {
    using is_transparent = void;
    const NodeGraph* graph;
    std::size_t operator()(Id id) const { return graph->objects_[id].hash; }
    std::size_t operator()(const Key& key) const { return key.hash(); }
  };
  struct Equal {
    using is_transparent = void;
    const NodeGraph* graph;
    bool operator()(Id a, Id b) const { return a == b; }
    bool operator()(const Key& key, Id id) const { return graph->is(id, key); }
    bool operator()(Id id, const Key& key) const { return graph->is(id, key); }
  };
  using Index = boost::unordered_flat_set<Id, Hash, Equal>;

  [[nodiscard]] bool is(Id id, const Key& key) const;
  [[nodiscard]] Id find(const Key& key) const;
  Id intern(const Key& key);
  Id make(const Key& key);
  void release(Id id);
  void compact_names();

  void link(Id from, Id to);
  void unlink(Id from, Id to);
  void release_links(Id from);

  [[nodiscard]] Destinations destinations_of(Id id) const;
  void add_paths(Id id, Id node, std::uint32_t paths);
  void add_destination(Id id, Id node, std::uint32_t paths);
  void subtract_paths(Id id, Id node, std::uint32_t paths);
  void subtract_destination(Id id, Id node, std::uint32_t paths);

  Names nodes_;
  Names namespaces_;
  std::vector<char> names_;
  std::size_t dead_name_bytes_ = 0;
  Pool<Object> objects_;
  Pool<Link> links_;
  Index index_;
  Pool<Destinations> tables_;
  boost::unordered_flat_map<Id, Id> claims_;  ///< by volume
};

}  // namespace nodebound
