#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reference/cluster/hash_table.h"
#include "reference/encoding/short_text.h"
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
/// this object lead to that node" takes one look-up, and one more where the object leads to several nodes; it searches
/// no path and allocates nothing, however many pods share the object.
class NodeGraph {
 public:
  /// An object that a pod or a volume references, and the rule that makes the reference count.
  struct Reference {
    ObjectKind kind;
    std::string_view namespace_;
    std::string_view name;
    Rule edge;
  };

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

  static std::uint32_t hash_of_name(std::string_view name) { return static_cast<std::uint32_t>(text_hash(name, 0)); }

  /// Numbers the names of nodes or namespaces, which many objects share.
  class Names {
   public:
    Id put(std::string_view name);
    /// `none` if the name has no number.
    [[nodiscard]] Id find(std::string_view name) const;
    [[nodiscard]] const std::string& operator[](Id id) const { return names_[id]; }

   private:
    std::vector<std::string> names_;
    HashTable<Id> ids_;
  };

  /// Values under fixed numbers, in chunks: they neither move nor take twice their room while the pool grows.
  template <typename T>
  class Pool {
   public:
    Id take() {
      if (free_.empty()) {
        if (size_ == chunks_.size() * chunk_size) chunks_.push_back(std::make_unique<T[]>(chunk_size));
        return size_++;
      }
      const Id id = free_.back();
      free_.pop_back();
      return id;
    }
    void give_back(Id id) {
      (*this)[id] = T();
      free_.push_back(id);
    }
    [[nodiscard]] T& operator[](Id id) { return chunks_[id / chunk_size][id % chunk_size]; }
    [[nodiscard]] const T& operator[](Id id) const { return chunks_[id / chunk_size][id % chunk_size]; }
    [[nodiscard]] Id size() const { return size_; }

   private:
    static constexpr Id chunk_size = 256;
    std::vector<std::unique_ptr<T[]>> chunks_;
    std::vector<Id> free_;
    Id size_ = 0;
  };

  /// Clusters have hundreds of thousands of these, so they are kept small.
  struct Object {
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
  /// A node that an object leads to, and the number of paths to it.
  struct Destination {
    Id node = none;
    std::uint32_t paths = 0;
  };
  /// The nodes that an object leads to. Once there are many, a bit for each node tells them, so that a decision about
  /// an object that all pods share reads one cache line for 512 nodes.
  class Destinations {
   public:
    [[nodiscard]] bool has(Id node) const;
    void add(Destination added);
    void subtract(Destination removed);
    [[nodiscard]] bool empty() const { return paths_.size() == 0; }
    template <typename Visitor>
    void each(Visitor visit) const {
      paths_.each(visit);
    }

   private:
    static constexpr std::size_t bits = 64;
    static constexpr std::size_t few = 32;

    void mark(Id node);

    HashTable<Destination> paths_;      ///< by the node's number
    std::vector<std::uint64_t> marks_;  ///< empty while there are few nodes
  };

  struct Key {
    ObjectKind kind;
    std::string_view namespace_;
    std::string_view name;
    [[nodiscard]] std::uint32_t hash() const;
  };

  [[nodiscard]] bool is(const Object& object, const Key& key) const;
  [[nodiscard]] std::string_view name_of(const Object& object) const;
  [[nodiscard]] std::uint32_t hash_of(const Object& object) const;
  [[nodiscard]] Id find(const Key& key) const;
  Id intern(const Key& key);
  Id make(const Key& key);
  void release(Id id);
  void compact_names();

  void link(Id from, Id to);
  void unlink(Id from, Id to);
  void release_links(Id from);

  [[nodiscard]] std::vector<Destination> destinations_of(Id id) const;
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
  HashTable<Id> index_;
  Pool<Destinations> tables_;
  boost::unordered_flat_map<Id, Id> claims_;  ///< by volume
};

// In line, because a decision spends most of its time here.

inline std::uint32_t NodeGraph::Key::hash() const {
  // Two hashes, because the processor computes them side by side.
  const std::uint64_t of_scope = text_hash(namespace_, static_cast<std::uint64_t>(kind) + 1);
  return static_cast<std::uint32_t>(of_scope ^ text_hash(name, 0));
}

inline std::string_view NodeGraph::name_of(const Object& object) const {
  return {names_.data() + object.name_at, object.name_size};
}

inline bool NodeGraph::is(const Object& object, const Key& key) const {
  return same_text(name_of(object), key.name) && (object.scope & 0xFU) == static_cast<std::uint32_t>(key.kind) &&
         same_text(namespaces_[object.scope >> 4U], key.namespace_);
}

inline NodeGraph::Id NodeGraph::Names::find(std::string_view name) const {
  const Id* const known = ids_.find(hash_of_name(name), [&](Id id) { return same_text(names_[id], name); });
  return known == nullptr ? none : *known;
}

inline bool NodeGraph::Destinations::has(Id node) const {
  if (marks_.empty()) return paths_.find(node, [&](const Destination& one) { return one.node == node; }) != nullptr;
  return node / bits < marks_.size() && ((marks_[node / bits] >> (node % bits)) & 1U) != 0;
}

inline NodeGraph::Id NodeGraph::find(const Key& key) const {
  const Id* const found = index_.find(key.hash(), [&](Id id) { return is(objects_[id], key); });
  return found == nullptr ? none : *found;
}

inline bool NodeGraph::leads(ObjectKind kind, std::string_view namespace_, std::string_view name,
                             std::string_view node) const {
  const Id id = find({kind, namespace_, name});
  if (id == none) return false;
  const Object& object = objects_[id];
  if (object.node == none) return false;
  if (object.node != many) return same_text(nodes_[object.node], node);
  const Id number = nodes_.find(node);
  return number != none && tables_[object.paths].has(number);
}

}  // namespace nodebound
