#include "reference/cluster/cluster.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

namespace nodebound {
namespace {

std::string resource_id(std::string_view group, std::string_view resource) {
  return std::string(group) + "/" + std::string(resource);
}

// Objects that name the one node they belong to.
std::optional<ObjectKind> owned_kind(const ObjectKey& key) {
  if (key.group == "storage.k8s.io" && key.resource == "volumeattachments") return ObjectKind::volumeattachment;
  if (key.group == "resource.k8s.io" && key.resource == "resourceslices") return ObjectKind::resourceslice;
  if (key.group == "certificates.k8s.io" && key.resource == "podcertificaterequests") {
    return ObjectKind::podcertificaterequest;
  }
  return std::nullopt;
}

bool is_pod(const ObjectKey& key) {
  return key.group.empty() && key.resource == "pods";
}

std::string_view node_of(const Object& pod) {
  return text(pod, "spec", "nodeName");
}

bool has_ended(const Object& pod) {
  const std::string_view phase = text(pod, "status", "phase");
  return phase == "Succeeded" || phase == "Failed" || member(pod, "metadata").contains("deletionTimestamp");
}

}  // namespace

Cluster::Cluster(const RuleSet& rules) : rules_(rules), finder_(rules), rbac_(rules) {}

ObjectPtr Cluster::find(const ObjectKey& key) const {
  return find(key.group, key.resource, key.namespace_, key.name);
}

ObjectPtr Cluster::find(std::string_view group, std::string_view resource, std::string_view namespace_,
                        std::string_view name) const {
  const KeptObject* const place = place_of(group, resource, namespace_, name);
  return place == nullptr ? nullptr : place->open();
}

KeptObject Cluster::find_kept(const ObjectKey& key) const {
  const KeptObject* const place = place_of(key.group, key.resource, key.namespace_, key.name);
  return place == nullptr ? KeptObject() : *place;
}

const KeptObject* Cluster::place_of(std::string_view group, std::string_view resource, std::string_view namespace_,
                                    std::string_view name) const {
  const auto objects = resources_.find(resource_id(group, resource));
  if (objects == resources_.end()) return nullptr;
  const auto names = objects->second.find(namespace_);
  if (names == objects->second.end()) return nullptr;
  const auto found = names->second.find(name);
  return found == names->second.end() ? nullptr : &found->second;
}

void Cluster::each(std::string_view group, std::string_view resource, std::string_view namespace_,
                   const std::function<void(const ObjectKey&, const Object&)>& visit) const {
  each_shared(group, resource, namespace_,
              [&](const std::string& in, const std::string& name, const ObjectPtr& object) {
                visit({std::string(group), std::string(resource), in, name}, *object);
              });
}

void Cluster::each_shared(std::string_view group, std::string_view resource, std::string_view namespace_,
                          const SharedVisitor& visit) const {
  each_kept(group, resource, namespace_, [&](const std::string& in, const std::string& name, const KeptObject& object) {
    visit(in, name, object.open());
  });
}

void Cluster::each_kept(std::string_view group, std::string_view resource, std::string_view namespace_,
                        const KeptVisitor& visit) const {
  const auto objects = resources_.find(resource_id(group, resource));
  if (objects == resources_.end()) return;
  const auto visit_names = [&](const auto& names) {
    for (const auto& [name, object] : names.second) visit(names.first, name, object);
  };
  if (namespace_.empty()) {
    for (const auto& names : objects->second) visit_names(names);
  } else if (const auto names = objects->second.find(namespace_); names != objects->second.end()) {
    visit_names(*names);
  }
}

void Cluster::each_named(std::string_view group, std::string_view resource, std::string_view namespace_,
                         std::string_view name, const KeptVisitor& visit) const {
  const auto objects = resources_.find(resource_id(group, resource));
  if (objects == resources_.end()) return;
  for (const auto& [in, names] : objects->second) {
    if (!namespace_.empty() && in != namespace_) continue;
    if (const auto found = names.find(name); found != names.end()) visit(in, found->first, found->second);
  }
}

void Cluster::each_pod_of_node(std::string_view node, std::string_view namespace_, const KeptVisitor& visit) const {
  const auto places = pods_of_nodes_.find(node);
  if (places == pods_of_nodes_.end()) return;
  for (const Place& place : places->second) {
    const std::string& in = place.in->first;
    if (namespace_.empty() || in == namespace_) visit(in, place.of->first, place.of->second);
  }
}

bool Cluster::before(const Place& a, const Place& b) {
  return std::tie(a.in->first, a.of->first) < std::tie(b.in->first, b.of->first);
}

void Cluster::bind(const Place& pod, std::string_view node) {
  if (node.empty()) return;
  Places& places = pods_of_nodes_.try_emplace(std::string(node)).first->second;
  places.insert(std::lower_bound(places.begin(), places.end(), pod, before), pod);
}

void Cluster::unbind(const Place& pod, std::string_view node) {
  const auto places = pods_of_nodes_.find(node);
  if (places == pods_of_nodes_.end()) return;
  places->second.erase(std::lower_bound(places->second.begin(), places->second.end(), pod, before));
  if (places->second.empty()) pods_of_nodes_.erase(places);
}

void Cluster::put(const ObjectKey& key, Object object) {
  put_shared(key, std::make_shared<const Object>(std::move(object)));
}

void Cluster::put_shared(const ObjectKey& key, KeptObject object) {
  Objects& objects = resources_[resource_id(key.group, key.resource)];
  const auto in = objects.try_emplace(key.namespace_).first;
  const auto of = in->second.try_emplace(key.name).first;
  const KeptObject before = std::exchange(of->second, std::move(object));
  const ObjectPtr now = of->second.open();
  follow(key, {&*in, &*of}, before, *now);
}

void Cluster::erase(const ObjectKey& key) {
  const auto objects = resources_.find(resource_id(key.group, key.resource));
  if (objects == resources_.end()) return;
  const auto names = objects->second.find(key.namespace_);
  if (names == objects->second.end()) return;
  const auto found = names->second.find(key.name);
  if (found == names->second.end()) return;
  if (is_pod(key)) unbind({&*names, &*found}, node_of(*found->second.open()));
  names->second.erase(found);
  forget(key);
}

void Cluster::follow(const ObjectKey& key, const Place& place, const KeptObject& before, const Object& object) {
  if (key.group == "rbac.authorization.k8s.io") {
    rbac_.put(key.resource, key.namespace_, key.name, object);
  } else if (is_pod(key)) {
    const ObjectPtr was = before.open();
    const std::string_view left = was ? node_of(*was) : std::string_view();
    if (left != node_of(object)) {
      unbind(place, left);
      bind(place, node_of(object));
    }
    follow_pod(key, was, object);
  } else if (key.group.empty() && key.resource == "persistentvolumes") {
    const Object& claim = member(object, "spec", "claimRef");
    graph_.remove_volume(key.name);
    if (!claim.is_object() || !rules_.in_force(Rule::edge_volume_claim_ref)) return;
    graph_.put_volume(key.name, text(claim, "namespace"), text(claim, "name"), finder_.of_volume(object).items);
  } else if (const std::optional<ObjectKind> kind = owned_kind(key)) {
    graph_.remove_owned(*kind, key.namespace_, key.name);
    if (const auto node = finder_.own_node(*kind, object)) {
      graph_.put_owned(*kind, key.namespace_, key.name, node->name);
    }
  } else if (key.group.empty() && key.resource == "nodes") {
    follow_config_source(key.name, object);
  }
}

// A bound pod's spec changes only in these ways, so the graph looks at it again only then (graph_populator.go).
bool Cluster::graph_looks_again(const Object& before, const Object& pod) const {
  if (node_of(before) != node_of(pod)) return true;
  if (text(before, "metadata", "uid") != text(pod, "metadata", "uid")) return true;
  if (rules_.in_force(Rule::graph_follows_ephemeral_containers) &&
      member(pod, "spec", "ephemeralContainers").size() > member(before, "spec", "ephemeralContainers").size()) {
    return true;
  }
  const auto changed = [&](std::string_view field) {
    return member(before, "status", field) != member(pod, "status", field);
  };
  return (rules_.in_force(Rule::graph_follows_claim_statuses) && changed("resourceClaimStatuses")) ||
         (rules_.in_force(Rule::graph_follows_extended_claims) && changed("extendedResourceClaimStatus"));
}

void Cluster::follow_pod(const ObjectKey& key, const ObjectPtr& before, const Object& pod) {
  if (!rules_.in_force(Rule::graph_terminated_pod_counts) && has_ended(pod)) {
    graph_.remove_pod(key.namespace_, key.name);
    return;
  }
  if (before && !graph_looks_again(*before, pod)) return;
  const std::string_view node = node_of(pod);
  if (node.empty() || !rules_.in_force(Rule::graph_pod_bound)) return;
  graph_.put_pod(key.namespace_, key.name, node, finder_.of_pod(pod).items);
}

// Ties the ConfigMap of a Node's configuration to the node through a made-up pod; real pods all have a namespace.
void Cluster::follow_config_source(const std::string& node, const Object& object) {
  if (!rules_.in_force(Rule::edge_node_config_source)) return;
  const Object& source = member(object, "spec", "configSource", "configMap");
  graph_.remove_pod("", node);
  if (text(source, "name").empty()) return;
  const NodeGraph::Reference reference{ObjectKind::configmap, text(source, "namespace"), text(source, "name"),
                                       Rule::edge_node_config_source};
  graph_.put_pod("", node, node, {&reference, 1});
}

void Cluster::forget(const ObjectKey& key) {
  if (key.group == "rbac.authorization.k8s.io") {
    rbac_.erase(key.resource, key.namespace_, key.name);
    return;
  }
  if (!rules_.in_force(Rule::graph_forgets_deleted)) return;
  if (is_pod(key)) {
    graph_.remove_pod(key.namespace_, key.name);
  } else if (key.group.empty() && key.resource == "persistentvolumes") {
    graph_.remove_volume(key.name);
  } else if (key.group.empty() && key.resource == "nodes") {
    graph_.remove_pod("", key.name);
  } else if (const std::optional<ObjectKind> kind = owned_kind(key)) {
    const bool missed =
        kind == ObjectKind::volumeattachment && !rules_.in_force(Rule::graph_forgets_deleted_attachments);
    if (!missed) graph_.remove_owned(*kind, key.namespace_, key.name);
  }
}

}  // namespace nodebound
