#include "harness/replay/replayed_cluster.h"

#include <algorithm>
#include <utility>

#include "fakes/wire/resources/api_catalogue.h"
#include "fakes/wire/timestamp.h"

namespace nodebound::replay {
namespace {

constexpr LoggedRequest::Micros kUntilLearned = 2'000'000;

// Whether the object goes on existing although it has been deleted.
bool lingers(const Object& deleted) {
  const Object& metadata = member(deleted, "metadata");
  if (const Object& finalizers = member(metadata, "finalizers"); finalizers.is_array() && !finalizers.empty())
    return true;
  const Object& grace = member(metadata, "deletionGracePeriodSeconds");
  return grace.is_number_integer() && grace.get<std::int64_t>() > 0;
}

// A list of what a deletecollection has deleted shows the objects as they were before. A pod that is bound is given
// time to end, unless the request says otherwise.
bool lingers_of_collection(const Object& item, const LoggedRequest& request, const ObjectKey& key) {
  if (lingers(item)) return true;
  if (!key.group.empty() || key.resource != "pods" || text(item, "spec", "nodeName").empty()) return false;
  const Object& grace = request.request_object ? member(*request.request_object, "gracePeriodSeconds") : item;
  return !grace.is_number_integer() || grace.get<std::int64_t>() > 0;
}

bool is_being_deleted(const Object& object) {
  return !text(object, "metadata", "deletionTimestamp").empty();
}

bool is_of(const Object& object, const ObjectKey& key) {
  const std::string_view kind = text(object, "kind");
  const ApiResourceEntry* resource = ApiCatalogue::built_in().find_kind(key.group, std::string(kind));
  return resource != nullptr && resource->resource == key.resource && !text(object, "metadata", "name").empty();
}

// A server that starts adds to a bootstrap role what its release has, and takes nothing away
// (pkg/registry/rbac/rest/storage_rbac.go).
std::shared_ptr<const Object> reconciled(const ObjectKey& key, const std::shared_ptr<const Object>& role,
                                         const RbacObjects& bootstrap) {
  constexpr std::string_view update = "rbac.authorization.kubernetes.io/autoupdate";
  if (!role || key.resource != "clusterroles" || text(*role, "metadata", "annotations", update) != "true") return role;
  const std::vector<PolicyRule>* added = bootstrap.role("", key.name);
  if (added == nullptr) return role;
  auto out = std::make_shared<Object>(*role);
  Object& rules = (*out)["rules"];
  if (!rules.is_array()) rules = Object::array();
  for (const PolicyRule& rule : *added) {
    rules.push_back({{"verbs", rule.verbs},
                     {"apiGroups", rule.groups},
                     {"resources", rule.resources},
                     {"resourceNames", rule.names},
                     {"nonResourceURLs", rule.urls}});
  }
  return out;
}

void put(Cluster& cluster, const ObjectKey& key, const std::shared_ptr<const Object>& object) {
  if (object) {
    cluster.put_shared(key, object);
  } else {
    cluster.erase(key);
  }
}

LoggedRequest::Micros creation_of(const Object& object) {
  const auto seconds = seconds_of(text(object, "metadata", "creationTimestamp"));
  return seconds ? *seconds * 1'000'000 : 0;
}

// Whether an object of the dump is the one that this request has made.
bool is_made_by(const Object* known, const LoggedRequest& request) {
  if (known == nullptr) return false;
  constexpr LoggedRequest::Micros second = 1'000'000;
  const LoggedRequest::Micros made = creation_of(*known);
  return made > 0 && made >= request.received / second * second && made <= request.answered;
}

}  // namespace

ReplayedCluster::ReplayedCluster(const RuleSet& from, const RuleSet& to, std::vector<ClusterObject> dump,
                                 bool node_role_bound)
    : from_(from), to_(to), bootstrap_(to), node_role_bound_(node_role_bound) {
  for (ClusterObject& entry : dump) {
    has_rbac_ = has_rbac_ || entry.key.resource.ends_with("rolebindings");
    to_come_.emplace(creation_of(entry.object), std::move(entry));
  }
}

void ReplayedCluster::add_to_target(const ClusterObject& entry) {
  const auto object = std::make_shared<const Object>(entry.object);
  put(to_.now, entry.key, object);
  put(to_.before, entry.key, object);
}

std::shared_ptr<const Object> ReplayedCluster::in_target(const ObjectKey& key,
                                                         const std::shared_ptr<const Object>& object) const {
  if (object && !node_role_bound_ && key.resource == "clusterrolebindings" &&
      text(*object, "roleRef", "kind") == "ClusterRole" && text(*object, "roleRef", "name") == "system:node") {
    return nullptr;
  }
  return reconciled(key, object, bootstrap_);
}

void ReplayedCluster::change(const ObjectKey& key, std::shared_ptr<const Object> object, LoggedRequest::Micros now) {
  put(from_.now, key, object);
  put(to_.now, key, in_target(key, object));
  recent_.push_back({now, key, std::move(object)});
}

void ReplayedCluster::advance(LoggedRequest::Micros now) {
  while (!to_come_.empty() && to_come_.begin()->first <= now) {
    auto entry = to_come_.extract(to_come_.begin());
    change(entry.mapped().key, std::make_shared<const Object>(std::move(entry.mapped().object)), entry.key());
  }
  while (!recent_.empty() && recent_.front().at + kUntilLearned <= now) {
    const Change& one = recent_.front();
    put(from_.before, one.key, one.object);
    put(to_.before, one.key, in_target(one.key, one.object));
    recent_.pop_front();
  }
}

bool ReplayedCluster::changed_lately(const std::string& namespace_) const {
  return std::any_of(recent_.begin(), recent_.end(),
                     [&](const Change& one) { return one.key.namespace_ == namespace_ || one.key.namespace_.empty(); });
}

void ReplayedCluster::apply_delete(const ObjectKey& key, const LoggedRequest& write, LoggedRequest::Micros now) {
  if (!write.response_object) {
    // Whether it is gone at once, or when its finalizers and its kubelet have let go of it, was in the answer.
    return;
  }
  if (is_of(*write.response_object, key) && lingers(*write.response_object)) {
    return change(key, std::make_shared<const Object>(*write.response_object), now);
  }
  change(key, nullptr, now);
}

// The answer does not show the pod, so only an eviction that gives it no time says when it is gone.
void ReplayedCluster::apply_eviction(ObjectKey key, const LoggedRequest& write, LoggedRequest::Micros now) {
  key.group.clear();
  key.resource = "pods";
  const std::shared_ptr<const Object> pod = from_.now.find(key);
  if (pod == nullptr || !write.request_object) return;
  const Object& grace = member(*write.request_object, "deleteOptions", "gracePeriodSeconds");
  const Object& finalizers = member(*pod, "metadata", "finalizers");
  if (grace.is_number_integer() && grace.get<std::int64_t>() == 0 && finalizers.empty()) change(key, nullptr, now);
}

void ReplayedCluster::apply(const LoggedRequest& write, LoggedRequest::Micros now) {
  const Attributes& attributes = write.attributes;
  if (!write.succeeded() || write.dry_run || !attributes.resource_request) return;
  const bool itself = attributes.api_group.empty() && attributes.resource == "namespaces";
  ObjectKey key{attributes.api_group, attributes.resource, itself ? "" : attributes.namespace_, attributes.name};
  const bool binding = key.group.empty() && attributes.verb == "create" &&
                       ((key.resource == "pods" && attributes.subresource == "binding") || key.resource == "bindings");
  if (binding) {
    key.resource = "pods";
    const std::shared_ptr<const Object> pod = from_.now.find(key);
    const std::string node(write.request_object ? text(*write.request_object, "target", "name") : std::string_view());
    if (pod == nullptr || node.empty()) return;
    auto bound = std::make_shared<Object>(*pod);
    (*bound)["spec"]["nodeName"] = node;
    return change(key, std::move(bound), now);
  }
  if (attributes.verb == "create" && key.resource == "pods" && attributes.subresource == "eviction") {
    return apply_eviction(std::move(key), write, now);
  }
  if (attributes.verb == "deletecollection") {
    const Object& items = write.response_object ? member(*write.response_object, "items") : member(Object(), "items");
    if (!items.is_array()) return;
    for (const Object& item : items) {
      ObjectKey one = key;
      one.name = text(item, "metadata", "name");
      one.namespace_ = text(item, "metadata", "namespace");
      if (!one.name.empty() && !lingers_of_collection(item, write, key)) change(one, nullptr, now);
    }
    return;
  }
  if (attributes.verb == "delete" && attributes.subresource.empty()) return apply_delete(key, write, now);
  // Whatever the subresource: if the answer is the object itself, that is how it is stored.
  if (write.response_object && is_of(*write.response_object, key)) {
    key.name = text(*write.response_object, "metadata", "name");
    if (is_being_deleted(*write.response_object) && !lingers(*write.response_object)) return change(key, nullptr, now);
    auto object = std::make_shared<Object>(*write.response_object);
    (*object)["metadata"].erase("managedFields");
    return change(key, std::move(object), now);
  }
  if (!attributes.subresource.empty() || write.response_object) return;
  if (attributes.verb == "create" && write.request_object && is_of(*write.request_object, key)) {
    if (key.name.empty()) key.name = text(*write.request_object, "metadata", "name");
    // The request lacks what the server has filled in, as the uid; the dump has that.
    if (is_made_by(from_.now.find(key).get(), write)) return;
    auto object = std::make_shared<Object>(*write.request_object);
    if (!key.namespace_.empty()) (*object)["metadata"]["namespace"] = key.namespace_;
    return change(key, std::move(object), now);
  }
}

}  // namespace nodebound::replay
