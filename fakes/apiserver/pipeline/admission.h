#pragma once

#include <optional>

#include "fakes/apiserver/write/computed_fields.h"
#include "fakes/wire/http.h"

namespace nodebound {

/// What the plugin ServiceAccount changes in a new pod, or its refusal. `suffix` ends the name of the volume that it
/// adds.
///
/// `strict`, here and below: this is the API server of a whole cluster, so the objects that a pod names must exist.
std::optional<HttpResponse> give_service_account(const WriteContext& write, bool strict, const std::string& suffix,
                                                 Object& pod);

/// What the other default plugins change in a new object, all of them after NodeRestriction: DefaultTolerationSeconds,
/// Priority, PodTopologyLabels, TaintNodesByCondition, StorageObjectInUseProtection.
std::optional<HttpResponse> change_on_create(const WriteContext& write, bool strict, Object& object);

/// Whether a Node has exactly the taints that the plugin TaintNodesByCondition gives a new Node.
bool has_first_taints(const Object& node);

/// What the same plugins change when an object is updated through its main resource.
void change_on_update(const WriteContext& write, const Object& before, Object& object);

/// Why the plugin ServiceAccount refuses new ephemeral containers: it cannot tell which Secrets they may use if the
/// pod's service account does not exist.
std::optional<HttpResponse> refused_by_service_account(const WriteContext& write, const Object& pod);

/// The plugin PodTopologyLabels copies the topology labels of a Node to its pods.
void copy_topology_labels(const Cluster& cluster, Object& pod);

/// The plugin NamespaceLifecycle refuses to create objects in a namespace that does not exist or is being deleted.
std::optional<HttpResponse> refused_by_namespace(const Cluster& cluster, const ApiResource& resource,
                                                 const std::string& namespace_, const std::string& name);

/// The plugin NamespaceLifecycle: whether nobody may delete a namespace.
bool is_immortal_namespace(std::string_view name);

/// A refusal of admission: `pods "web" is forbidden: …`.
HttpResponse forbidden_by_admission(const ApiResource& resource, std::string_view name, const std::string& why,
                                    Object details = nullptr);

}  // namespace nodebound
