#include "reference/cluster/node_graph.h"

#include <array>
#include <cstring>
#include <utility>

namespace nodebound {

std::string_view to_string(ObjectKind kind) {
  static constexpr std::array<std::string_view, 10> names = {"secret",
                                                             "configmap",
                                                             "persistentvolumeclaim",
                                                             "persistentvolume",
                                                             "serviceaccount",
                                                             "resourceclaim",
                                                             "volumeattachment",
                                                             "resourceslice",
                                                             "pod",
                                                             "podcertificaterequest"};
  return names[static_cast<std::size_t>(kind)];
}

inline std::uint64_t NodeGraph::hash_of(std::string_view text, std::uint64_t seed) {
  constexpr std::size_t word_size = sizeof(std::uint64_t);
  std::uint64_t hash = seed ^ text.size();
  const auto mix = [&](std::uint64_t word) {
    hash = (hash ^ word) * 0x9E3779B97F4A7C15ULL;
    hash ^= hash >> 32U;
  };
  const auto word_at = [&](std::size_t at) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + at, word_size);
    return word;
  };
  if (text.size() < word_size) {
    std::uint64_t word = 0;
    for (const char c : text) word = word << 8U | static_cast<unsigned char>(c);
    mix(word);
    return hash;
  }
  for (std::size_t at = 0; at + word_size < text.size(); at += word_size) mix(word_at(at));
  mix(word_at(text.size() - word_size));  // may overlap bytes that were mixed before
  return hash;
}

NodeGraph::Id NodeGraph::Names::find(std::string_view name) const {
  const auto found = ids_.find(name);
  return found == ids_.end() ? none : found->second;
}

NodeGraph::Id NodeGraph::Names::put(std::string_view name) {
  if (const Id known = find(name); known != none) return known;
  const Id id = static_cast<Id>(names_.size());
  names_.emplace_back(name);
  ids_.emplace(name, id);
  return id;
}

std::uint32_t NodeGraph::Key::hash() const {
  return static_cast<std::uint32_t>(hash_of(name, hash_of(namespace_, static_cast<std::uint64_t>(kind))));
}

NodeGraph::NodeGraph() : index_(0, Hash{this}, Equal{this}) {}

NodeGraph::~NodeGraph() = default;

NodeGraph::NodeGraph(NodeGraph&& other) noexcept : NodeGraph() {
  *this = std::move(other);
}

NodeGraph& NodeGraph::operator=(NodeGraph&& other) noexcept {
  nodes_ = std::exchange(other.nodes_, {});
  namespaces_ = std::exchange(other.namespaces_, {});
  names_ = std::exchange(other.names_, {});
  dead_name_bytes_ = std::exchange(other.dead_name_bytes_, 0);
  objects_ = std::exchange(other.objects_, {});
  links_ = std::exchange(other.links_, {});
  tables_ = std::exchange(other.tables_, {});
  claims_ = std::exchange(other.claims_, {});
  const std::vector<Id> live(other.index_.begin(), other.index_.end());
  // The index refers to the graph that it belongs to, so this graph needs a new one.
  other.index_ = Index(0, Hash{&other}, Equal{&other});
  index_ = Index(live.size(), Hash{this}, Equal{this});
  for (const Id id : live) index_.insert(id);
  return *this;
}

bool NodeGraph::is(Id id, const Key& key) const {
  const Object& object = objects_[id];
  return std::string_view(names_.data() + object.name_at, object.name_size) == key.name &&
         (object.scope & 0xFU) == static_cast<std::uint32_t>(key.kind) &&
         namespaces_[object.scope >> 4U] == key.namespace_;
}

NodeGraph::Id NodeGraph::find(const Key& key) const {
  const auto found = index_.find(key);
  return found == index_.end() ? none : *found;
}

NodeGraph::Id NodeGraph::intern(const Key& key) {
  const Id known = find(key);
  const Id id = known == none ? make(key) : known;
  ++objects_[id].uses;
  return id;
}

NodeGraph::Id NodeGraph::make(const Key& key) {
  const Id id = objects_.take();
  Object& object = objects_[id];
  object.hash = key.hash();
  object.scope = (namespaces_.put(key.namespace_) << 4U) | static_cast<std::uint32_t>(key.kind);
  object.name_at = static_cast<std::uint32_t>(names_.size());
  object.name_size = static_cast<std::uint32_t>(key.name.size());
  names_.insert(names_.end(), key.name.begin(), key.name.end());
  index_.insert(id);
  return id;
}

void NodeGraph::release(Id id) {
  Object& object = objects_[id];
  if (--object.uses > 0) return;
  index_.erase(id);
  dead_name_bytes_ += object.name_size;
  objects_.give_back(id);
  if (dead_name_bytes_ > 4096 && dead_name_bytes_ * 2 > names_.size()) compact_names();
}

void NodeGraph::compact_names() {
  std::vector<char> names;
  names.reserve(names_.size() - dead_name_bytes_);
  for (Object& object : objects_) {
    const auto name = names_.begin() + object.name_at;
    object.name_at = static_cast<std::uint32_t>(names.size());
    names.insert(names.end(), name, name + object.name_size);
  }
  names_ = std::move(names);
  dead_name_bytes_ = 0;
}

void NodeGraph::link(Id from, Id to) {
  const Id id = links_.take();
  links_[id] = {to, objects_[from].links};
  objects_[from].links = id;
}

void NodeGraph::unlink(Id from, Id to) {
  Id* place = &objects_[from].links;
  while (links_[*place].to != to) place = &links_[*place].next;
  const Id id = *place;
  *place = links_[id].next;
  links_.give_back(id);
}

void NodeGraph::release_links(Id from) {
  for (Id id = std::exchange(objects_[from].links, none); id != none;) {
    const Link link = links_[id];
    links_.give_back(id);
    release(link.to);
    id = link.next;
  }
}

NodeGraph::Destinations NodeGraph::destinations_of(Id id) const {
  const Object& object = objects_[id];
  if (object.node == none) return {};
  if (object.node == many) return tables_[object.paths];
  return {{object.node, object.paths}};
}

void NodeGraph::add_paths(Id id, Id node, std::uint32_t paths) {
  add_destination(id, node, paths);
  for (Id at = objects_[id].links; at != none; at = links_[at].next) add_paths(links_[at].to, node, paths);
}

void NodeGraph::add_destination(Id id, Id node, std::uint32_t paths) {
  Object& object = objects_[id];
  if (object.node == none) {
    object.node = node;
    object.paths = paths;
  } else if (object.node == node) {
    object.paths += paths;
  } else if (object.node == many) {
    tables_[object.paths][node] += paths;
  } else {
    const Id table = tables_.take();
    tables_[table] = {{object.node, object.paths}, {node, paths}};
    object.node = many;
    object.paths = table;
  }
}

void NodeGraph::subtract_paths(Id id, Id node, std::uint32_t paths) {
  subtract_destination(id, node, paths);
  for (Id at = objects_[id].links; at != none; at = links_[at].next) subtract_paths(links_[at].to, node, paths);
}

void NodeGraph::subtract_destination(Id id, Id node, std::uint32_t paths) {
  Object& object = objects_[id];
  if (object.node != many) {
    object.paths -= paths;
    if (object.paths == 0) object.node = none;
    return;
  }
  Destinations& table = tables_[object.paths];
  const auto found = table.find(node);
  found->second -= paths;
  if (found->second == 0) table.erase(found);
  if (!table.empty()) return;
  tables_.give_back(object.paths);
  object.node = none;
  object.paths = 0;
}

void NodeGraph::put_pod(std::string_view namespace_, std::string_view name, std::string_view node,
                        std::span<const Reference> references) {
  remove_pod(namespace_, name);
  const Id pod = intern({ObjectKind::pod, namespace_, name});
  for (const Reference& reference : references) {
    link(pod, intern({reference.kind, reference.namespace_, reference.name}));
  }
  add_paths(pod, nodes_.put(node), 1);
}

void NodeGraph::remove_pod(std::string_view namespace_, std::string_view name) {
  const Id pod = find({ObjectKind::pod, namespace_, name});
  if (pod == none) return;
  subtract_paths(pod, objects_[pod].node, 1);
  release_links(pod);
  release(pod);
}

void NodeGraph::put_volume(std::string_view name, std::string_view claim_namespace, std::string_view claim,
                           std::span<const Reference> secrets) {
  remove_volume(name);
  const Id volume = intern({ObjectKind::persistentvolume, {}, name});
  for (const Reference& secret : secrets) link(volume, intern({secret.kind, secret.namespace_, secret.name}));
  const Id bound = intern({ObjectKind::persistentvolumeclaim, claim_namespace, claim});
  link(bound, volume);
  claims_.emplace(volume, bound);
  for (const auto& [node, paths] : destinations_of(bound)) add_paths(volume, node, paths);
}

void NodeGraph::remove_volume(std::string_view name) {
  const Id volume = find({ObjectKind::persistentvolume, {}, name});
  if (volume == none) return;
  for (const auto& [node, paths] : destinations_of(volume)) subtract_paths(volume, node, paths);
  const auto bound = claims_.find(volume);
  unlink(bound->second, volume);
  release(bound->second);
  claims_.erase(bound);
  release_links(volume);
  release(volume);
}

void NodeGraph::put_owned(ObjectKind kind, std::string_view namespace_, std::string_view name, std::string_view node) {
  remove_owned(kind, namespace_, name);
  add_paths(intern({kind, namespace_, name}), nodes_.put(node), 1);
}

void NodeGraph::remove_owned(ObjectKind kind, std::string_view namespace_, std::string_view name) {
  const Id object = find({kind, namespace_, name});
  if (object == none) return;
  subtract_paths(object, objects_[object].node, 1);
  release(object);
}

bool NodeGraph::leads(ObjectKind kind, std::string_view namespace_, std::string_view name,
                      std::string_view node) const {
  const Id id = find({kind, namespace_, name});
  if (id == none || objects_[id].node == none) return false;
  const Id destination = objects_[id].node;
  if (destination != many) return nodes_[destination] == node;
  const Id asking = nodes_.find(node);
  return asking != none && tables_[objects_[id].paths].contains(asking);
}

}  // namespace nodebound
