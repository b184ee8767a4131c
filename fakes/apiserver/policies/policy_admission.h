#pragma once

#include <optional>

#include "fakes/apiserver/policies/matched_write.h"
#include "fakes/wire/http.h"

namespace nodebound::apiserver {

struct Call;
struct ServerState;

/// Whether there is any policy that could look at the writes of a call.
bool has_policies(const ServerState& server, const Call& call);

/// The refusal of a write by the ValidatingAdmissionPolicies and their bindings, whose warnings and audit annotations
/// go into the notes of the call.
std::optional<HttpResponse> refused_by_policies(const ServerState& server, const Call& call,
                                                const ReviewedWrite& write);

}  // namespace nodebound::apiserver
