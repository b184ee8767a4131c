#pragma once

#include "fakes/apiserver/write/fields/field_managers.h"

namespace nodebound::apiserver {

struct Call;
struct ServerState;
struct Strategy;

/// Who writes the fields of a call: the `fieldManager` of the request, or else the program that its user agent names.
FieldWriter field_writer(const Call& call);

/// The API server, which makes the objects that every cluster begins with.
FieldWriter server_itself(const ApiResource& resource, const Strategy& strategy, const std::string& now);

/// Whom the release records as managers.
Tracked tracked_managers(const ServerState& server);

/// Records in `after` who wrote what, if the call is no apply, which does so itself. `before` is empty if `after` is
/// new.
void record_fields(const ServerState& server, const Call& call, const Object& before, Object& after);

}  // namespace nodebound::apiserver
