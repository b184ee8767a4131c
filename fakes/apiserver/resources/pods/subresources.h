#pragma once

#include <optional>

#include "fakes/apiserver/resources/strategy.h"

namespace nodebound::apiserver {

/// Why a binding is wrong, whatever its pod (BindingREST.Create in pkg/registry/core/pod/storage/storage.go).
std::optional<HttpResponse> wrong_binding(const ServerState& server, const Call& call);
HttpResponse bind_pod(ServerState& server, const Call& call, const Object& pod);

std::optional<HttpResponse> wrong_eviction(const ServerState& server, const Call& call);
HttpResponse evict_pod(ServerState& server, const Call& call, const Object& pod);

// Connections to a bound pod are passed on to the kubelet of its Node.

std::optional<HttpResponse> read_log(const ServerState& server, const Call& call, const Object& pod);
/// Exec and attach.
std::optional<HttpResponse> enter_container(const ServerState& server, const Call& call, const Object& pod);
std::optional<HttpResponse> forward_port(const ServerState& server, const Call& call, const Object& pod);
std::optional<HttpResponse> proxy_pod(const ServerState& server, const Call& call, const Object& pod);

}  // namespace nodebound::apiserver
