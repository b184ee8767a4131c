#include "reference/cluster/node_graph.h"

#include <algorithm>
#include <array>

namespace nodebound {

std::string_view to_string(ObjectKind kind) {
  static constexpr std::array<std::string_view, 10> names = {
      "secret",         "configmap",     "persistentvolumeclaim", "persistentvolume",
      "serviceaccount", "resourceclaim", "volumeattachment",      "resourceslice",
      "pod",            "podcertificaterequest"};
  return names[static_cast<std::size_t>(kind)];
}

void NodeGraph::Destinations::add(Id node, std::uint32_t paths) {
  if (node_ == none) {
    // The inline place may be empty while the table has the node.
    const auto found = more_ == nullptr ? decltype(more_->begin()){} : more_->find(node);
    if (more_ != nullptr && found != more_->end()) {
      found->second += paths;
      return;
    }
    node_ = node;
    paths_ = paths;
  } else if (node_ == node) {
    paths_ += paths;
  } else {
    if (more_ == nullptr) more_ = std::make_unique<boost::unordered_flat_map<Id, std::uint32_t>>();
    (*more_)[node] += paths;
  }
}

void NodeGraph::Destinations::subtract(Id node, std::uint32_t paths) {
  if (node_ == node) {
    paths_ -= paths;
    if (paths_ == 0) node_ = none;
    return;
  }
  if (more_ == nullptr) return;
  const auto found = more_->find(node);
  if (found == more_->end()) return;
  found->second -= paths;
  if (found->second == 0) more_->erase(found);
  if (more_->empty()) more_.reset();
}

std::uint32_t NodeGraph::Key::hash() const {
  const std::uint64_t mixed = std::hash<std::string_view>{}(namespace_) * 31 + std::hash<std::string_view>{}(name) +
                              static_cast<std::uint64_t>(kind) * 0x9E3779B97F4A7C15ULL;
  return static_cast<std::uint32_t>(mixed ^ (mixed >> 32U));
}

NodeGraph::NodeGraph() : index_(0, Hash{this}, Equal{this}) {
  namespaces_.emplace_back();
  namespace_ids_.emplace("", 0);
}

NodeGraph::~NodeGraph() = default;

NodeGraph::NodeGraph(NodeGraph&& other) noexcept : NodeGraph() { *this = std::move(other); }

NodeGraph& NodeGraph::operator=(NodeGraph&& other) noexcept {
  nodes_ = std::move(other.nodes_);
  namespace_ids_ = std::move(other.namespace_ids_);
  namespaces_ = std::move(other.namespaces_);
  names_ = std::move(other.names_);
  dead_name_bytes_ = other.dead_name_bytes_;
  objects_ = std::move(other.objects_);
  free_ = std::move(other.free_);
  pods_ = std::move(other.pods_);
  volumes_ = std::move(other.volumes_);
  owned_ = std::move(other.owned_);
  claim_volumes_ = std::move(other.claim_volumes_);
  const std::vector<Id> live(other.index_.begin(), other.index_.end());
  other.index_ = Index(0, Hash{&other}, Equal{&other});
  // The index asks the graph it belongs to, so it is built anew for this one.
  index_ = Index(0, Hash{this}, Equal{this});
  for (const Id id : live) index_.insert(id);
  return *this;
}

std::string_view NodeGraph::name_of(const Object& object) const {
  return {names_.data() + object.name_at, object.name_size};
}

bool NodeGraph::is(Id id, const Key& key) const {
  const Object& object = objects_[id];
  return object.kind == key.kind && name_of(object) == key.name && namespaces_[object.namespace_] == key.namespace_;
}

NodeGraph::Id NodeGraph::find(const Key& key) const {
  const auto found = index_.find(key);
  return found == index_.end() ? none : *found;
}

NodeGraph::Id NodeGraph::intern_node(std::string_view name) {
  const auto found = nodes_.find(name);
  if (found != nodes_.end()) return found->second;
  const Id id = static_cast<Id>(nodes_.size());
  nodes_.emplace(std::string(name), id);
  return id;
}

NodeGraph::Id NodeGraph::intern(const Key& key) {
  Id id = find(key);
  if (id == none) {
    Id namespace_id = 0;
    if (const auto known = namespace_ids_.find(key.namespace_); known != namespace_ids_.end()) {
      namespace_id = known->second;
    } else {
      namespace_id = static_cast<Id>(namespaces_.size());
      namespaces_.emplace_back(key.namespace_);
      namespace_ids_.emplace(std::string(key.namespace_), namespace_id);
    }
    if (free_.empty()) {
      id = static_cast<Id>(objects_.size());
      objects_.emplace_back();
    } else {
      id = free_.back();
      free_.pop_back();
    }
    Object& object = objects_[id];
    object.hash = key.hash();
    object.kind = key.kind;
    object.namespace_ = namespace_id;
    object.name_at = static_cast<std::uint32_t>(names_.size());
    object.name_size = static_cast<std::uint16_t>(key.name.size());
    names_.insert(names_.end(), key.name.begin(), key.name.end());
    index_.insert(id);
  }
  ++objects_[id].uses;
  return id;
}

void NodeGraph::release(Id id) {
  Object& object = objects_[id];
  if (--object.uses > 0) return;
  index_.erase(id);
  dead_name_bytes_ += object.name_size;
  object = Object();
  free_.push_back(id);
  if (dead_name_bytes_ > 4096 && dead_name_bytes_ * 2 > names_.size()) compact_names();
}

void NodeGraph::compact_names() {
  std::vector<char> names;
  names.reserve(names_.size() - dead_name_bytes_);
  for (Object& object : objects_) {
    if (object.uses == 0) continue;
    const auto at = static_cast<std::uint32_t>(names.size());
    const std::string_view name = name_of(object);
    names.insert(names.end(), name.begin(), name.end());
    object.name_at = at;
  }
  names_ = std::move(names);
  dead_name_bytes_ = 0;
}

void NodeGraph::add_paths(Id id, Id node, std::uint32_t paths) {
  objects_[id].destinations.add(node, paths);
  if (objects_[id].kind == ObjectKind::persistentvolumeclaim) {
    const auto volumes = claim_volumes_.find(id);
    if (volumes == claim_volumes_.end()) return;
    for (const Id volume : volumes->second) add_paths(volume, node, paths);
  } else if (objects_[id].kind == ObjectKind::persistentvolume) {
    for (const Id secret : volumes_.at(id).secrets) add_paths(secret, node, paths);
  }
}

void NodeGraph::subtract_paths(Id id, Id node, std::uint32_t paths) {
  objects_[id].destinations.subtract(node, paths);
  if (objects_[id].kind == ObjectKind::persistentvolumeclaim) {
    const auto volumes = claim_volumes_.find(id);
    if (volumes == claim_volumes_.end()) return;
    for (const Id volume : volumes->second) subtract_paths(volume, node, paths);
  } else if (objects_[id].kind == ObjectKind::persistentvolume) {
    for (const Id secret : volumes_.at(id).secrets) subtract_paths(secret, node, paths);
  }
}

void NodeGraph::put_pod(std::string_view namespace_, std::string_view name, std::string_view node,
                        std::span<const Reference> references) {
  remove_pod(namespace_, name);
  const Id node_id = intern_node(node);
  const Id pod = intern({ObjectKind::pod, namespace_, name});
  PodEdges edges{node_id, static_cast<std::uint32_t>(references.size()),
                 std::make_unique<Id[]>(references.size())};
  for (std::uint32_t i = 0; i < edges.count; ++i) {
    edges.references[i] = intern({references[i].kind, references[i].namespace_, references[i].name});
    add_paths(edges.references[i], node_id, 1);
  }
  add_paths(pod, node_id, 1);
  pods_.emplace(pod, std::move(edges));
}

void NodeGraph::remove_pod(std::string_view namespace_, std::string_view name) {
  const Id pod = find({ObjectKind::pod, namespace_, name});
  if (pod == none) return;
  const auto found = pods_.find(pod);
  const PodEdges edges = std::move(found->second);
  pods_.erase(found);
  for (std::uint32_t i = 0; i < edges.count; ++i) {
    subtract_paths(edges.references[i], edges.node, 1);
    release(edges.references[i]);
  }
  subtract_paths(pod, edges.node, 1);
  release(pod);
}

void NodeGraph::put_volume(std::string_view name, std::string_view claim_namespace, std::string_view claim,
                           std::span<const Reference> secrets) {
  remove_volume(name);
  const Id volume = intern({ObjectKind::persistentvolume, {}, name});
  VolumeEdges edges;
  edges.claim = intern({ObjectKind::persistentvolumeclaim, claim_namespace, claim});
  for (const Reference& secret : secrets) {
    edges.secrets.push_back(intern({secret.kind, secret.namespace_, secret.name}));
  }
  const Id claim_id = edges.claim;
  volumes_.emplace(volume, std::move(edges));
  claim_volumes_[claim_id].push_back(volume);
  std::vector<std::pair<Id, std::uint32_t>> destinations;
  objects_[claim_id].destinations.each([&](Id node, std::uint32_t paths) { destinations.emplace_back(node, paths); });
  for (const auto& [node, paths] : destinations) add_paths(volume, node, paths);
}

void NodeGraph::remove_volume(std::string_view name) {
  const Id volume = find({ObjectKind::persistentvolume, {}, name});
  if (volume == none) return;
  std::vector<std::pair<Id, std::uint32_t>> destinations;
  objects_[volume].destinations.each([&](Id node, std::uint32_t paths) { destinations.emplace_back(node, paths); });
  for (const auto& [node, paths] : destinations) subtract_paths(volume, node, paths);
  const auto found = volumes_.find(volume);
  const VolumeEdges edges = std::move(found->second);
  volumes_.erase(found);
  const auto siblings = claim_volumes_.find(edges.claim);
  std::erase(siblings->second, volume);
  if (siblings->second.empty()) claim_volumes_.erase(siblings);
  for (const Id secret : edges.secrets) release(secret);
  release(edges.claim);
  release(volume);
}

void NodeGraph::put_owned(ObjectKind kind, std::string_view namespace_, std::string_view name, std::string_view node) {
  remove_owned(kind, namespace_, name);
  const Id node_id = intern_node(node);
  const Id object = intern({kind, namespace_, name});
  add_paths(object, node_id, 1);
  owned_.emplace(object, node_id);
}

void NodeGraph::remove_owned(ObjectKind kind, std::string_view namespace_, std::string_view name) {
  const Id object = find({kind, namespace_, name});
  if (object == none) return;
  const auto found = owned_.find(object);
  subtract_paths(object, found->second, 1);
  owned_.erase(found);
  release(object);
}

bool NodeGraph::leads(ObjectKind kind, std::string_view namespace_, std::string_view name,
                      std::string_view node) const {
  const Id object = find({kind, namespace_, name});
  if (object == none) return false;
  const auto known = nodes_.find(node);
  return known != nodes_.end() && objects_[object].destinations.has(known->second);
}

}  // namespace nodebound
