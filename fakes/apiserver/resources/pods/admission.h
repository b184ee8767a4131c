#pragma once

#include <optional>
#include <string>

#include "fakes/apiserver/write/write_context.h"
#include "fakes/wire/http.h"

namespace nodebound::apiserver {

/// What the plugin ServiceAccount changes in a new pod, or its refusal. `suffix` ends the name of the volume that it
/// adds.
std::optional<HttpResponse> give_service_account(const WriteContext& write, const std::string& suffix, Object& pod);

/// What the plugins after NodeRestriction change in a new pod: Priority and DefaultTolerationSeconds.
std::optional<HttpResponse> admit_pod(const WriteContext& write, Object& pod);

/// What the plugins after PodTolerationRestriction change in it: PodTopologyLabels and RuntimeClass.
std::optional<HttpResponse> admit_pod_last(const WriteContext& write, Object& pod);

/// What the same plugins change when a pod is updated through its main resource.
void admit_pod_change(const WriteContext& write, const Object& before, Object& pod);

/// Why the plugin ServiceAccount refuses new ephemeral containers: it cannot tell which Secrets they may use if the
/// pod's service account does not exist.
std::optional<HttpResponse> refused_by_service_account(const WriteContext& write, const Object& pod);

/// The plugin PodTopologyLabels copies the topology labels of a Node to its pods.
void copy_topology_labels(const Cluster& cluster, Object& pod);

}  // namespace nodebound::apiserver
