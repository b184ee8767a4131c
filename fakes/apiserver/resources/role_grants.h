#pragma once

#include <optional>

#include "fakes/wire/http.h"
#include "reference/cluster/object.h"

namespace nodebound::apiserver {

struct Call;
struct ServerState;

/// Why the subject of the call may not write this Role or ClusterRole; `before` is null for a create.
std::optional<HttpResponse> unauthorized_role(const ServerState& server, const Call& call, const Object& before,
                                              const Object& role);
/// The same for a RoleBinding or ClusterRoleBinding.
std::optional<HttpResponse> unauthorized_binding(const ServerState& server, const Call& call, const Object& before,
                                                 const Object& binding);

}  // namespace nodebound::apiserver
