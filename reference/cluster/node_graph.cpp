#include "reference/cluster/node_graph.h"

#include <array>
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

NodeGraph::Id NodeGraph::Names::put(std::string_view name) {
  if (const Id known = find(name); known != none) return known;
  const Id id = static_cast<Id>(names_.size());
  names_.emplace_back(name);
  ids_.insert(hash_of_name(name), id);
  return id;
}

void NodeGraph::Destinations::mark(Id node) {
  if (marks_.size() <= node / bits) marks_.resize(node / bits + 1);
  marks_[node / bits] |= std::uint64_t{1} << (node % bits);
}

void NodeGraph::Destinations::add(Destination added) {
  const auto is_it = [&](const Destination& one) { return one.node == added.node; };
  if (Destination* const known = paths_.find(added.node, is_it); known != nullptr) {
    known->paths += added.paths;
    return;
  }
  paths_.insert(added.node, added);
  if (!marks_.empty()) {
    mark(added.node);
  } else if (paths_.size() > few) {
    paths_.each([&](const Destination& one) { mark(one.node); });
  }
}

void NodeGraph::Destinations::subtract(Destination removed) {
  const auto is_it = [&](const Destination& one) { return one.node == removed.node; };
  Destination* const found = paths_.find(removed.node, is_it);
  found->paths -= removed.paths;
  if (found->paths > 0) return;
  paths_.erase(removed.node, is_it);
  if (!marks_.empty()) marks_[removed.node / bits] &= ~(std::uint64_t{1} << (removed.node % bits));
}

std::uint32_t NodeGraph::hash_of(const Object& object) const {
  return Key{static_cast<ObjectKind>(object.scope & 0xFU), namespaces_[object.scope >> 4U], name_of(object)}.hash();
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
  object.scope = (namespaces_.put(key.namespace_) << 4U) | static_cast<std::uint32_t>(key.kind);
  object.name_at = static_cast<std::uint32_t>(names_.size());
  object.name_size = static_cast<std::uint32_t>(key.name.size());
  names_.insert(names_.end(), key.name.begin(), key.name.end());
  index_.insert(key.hash(), id);
  return id;
}

void NodeGraph::release(Id id) {
  Object& object = objects_[id];
  if (--object.uses > 0) return;
  index_.erase(hash_of(object), [&](Id other) { return other == id; });
  dead_name_bytes_ += object.name_size;
  objects_.give_back(id);
  if (dead_name_bytes_ > 4096 && dead_name_bytes_ * 2 > names_.size()) compact_names();
}

void NodeGraph::compact_names() {
  std::vector<char> names;
  names.reserve(names_.size() - dead_name_bytes_);
  for (Id id = 0; id < objects_.size(); ++id) {
    Object& object = objects_[id];
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

std::vector<NodeGraph::Destination> NodeGraph::destinations_of(Id id) const {
  const Object& object = objects_[id];
  if (object.node == none) return {};
  if (object.node != many) return {{object.node, object.paths}};
  std::vector<Destination> out;
  tables_[object.paths].each([&](const Destination& destination) { out.push_back(destination); });
  return out;
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
    tables_[object.paths].add({node, paths});
  } else {
    const Id table = tables_.take();
    tables_[table].add({object.node, object.paths});
    tables_[table].add({node, paths});
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
  table.subtract({node, paths});
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

}  // namespace nodebound
