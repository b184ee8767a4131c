#pragma once

#include <optional>

#include "fakes/apiserver/computed_fields.h"
#include "fakes/apiserver/http.h"

namespace nodebound {

/// What plugin ServiceAccount changes of a pod that is to be made, or its refusal. `suffix` ends the name of the volume
/// that it adds.
///
/// `strict` is an API server of a whole cluster, here and below: what a pod names must then be there.
std::optional<HttpResponse> give_service_account(const WriteContext& write, bool strict, const std::string& suffix,
                                                 Object& pod);

/// The same of the plugins after NodeRestriction that are on by default: DefaultTolerationSeconds, Priority,
/// PodTopologyLabels, TaintNodesByCondition, StorageObjectInUseProtection.
std::optional<HttpResponse> change_on_create(const WriteContext& write, bool strict, Object& object);

/// Whether a node has the taints that plugin TaintNodesByCondition gives a new one, and no other.
bool has_first_taints(const Object& node);

/// What the same plugins change of an object that is updated, not through a subresource.
void change_on_update(const WriteContext& write, const Object& before, Object& object);

/// Why plugin ServiceAccount refuses new ephemeral containers of a pod: without its account it cannot tell which
/// Secrets they may use.
std::optional<HttpResponse> refused_by_service_account(const WriteContext& write, const Object& pod);

/// Plugin PodTopologyLabels: where its node is, a pod says too.
void copy_topology_labels(const Cluster& cluster, Object& pod);

/// Plugin NamespaceLifecycle: nothing is made in a namespace that is not there or is to go.
std::optional<HttpResponse> refused_by_namespace(const Cluster& cluster, const ApiResource& resource,
                                                 const std::string& namespace_, const std::string& name);

/// Plugin NamespaceLifecycle: whether a namespace stays as long as the cluster.
bool is_immortal_namespace(std::string_view name);

/// A refusal of admission: `pods "web" is forbidden: …`.
HttpResponse forbidden_by_admission(const ApiResource& resource, std::string_view name, const std::string& why,
                                    Object details = nullptr);

}  // namespace nodebound
