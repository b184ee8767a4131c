#pragma once

#include <string>

#include "fakes/wire/http.h"
#include "reference/cluster/object.h"

namespace nodebound::apiserver {

struct Call;
struct ServerState;

// The answers to writes, with the ApiServer's lock held.

HttpResponse answer_create(ServerState& server, const Call& call);
HttpResponse answer_update(ServerState& server, const Call& call);
HttpResponse answer_patch(ServerState& server, const Call& call);
HttpResponse answer_delete(ServerState& server, const Call& call);
HttpResponse answer_delete_collection(ServerState& server, const Call& call);

/// Answers the create of a kind that is not stored.
HttpResponse answer_review(ServerState& server, const Call& call);

/// Answers a create through a subresource.
HttpResponse create_subresource(ServerState& server, const Call& call);

/// Answers a connection, such as exec: not a create, so admission plugins for creates do not see it.
HttpResponse answer_connect(const ServerState& server, const Call& call);

/// Admits, validates and stores a new object.
HttpResponse create_object(ServerState& server, const Call& call, Object object);

/// Whether an update of an object that does not exist creates it. The strategy of a status is that of its kind.
bool creates_missing(const Call& call);

/// As `create_object`, for an update of an object that does not exist, which needs the permission to create it, too.
HttpResponse create_by_update(ServerState& server, const Call& call, Object object);

/// Admits, validates and stores the change of an object to what was submitted.
HttpResponse replace_object(ServerState& server, const Call& call, const Object& before, Object submitted);

/// The same for a change through a subresource that shows objects as another kind.
HttpResponse replace_view(ServerState& server, const Call& call, const Object& before, const Object& view);

}  // namespace nodebound::apiserver
