#pragma once

#include "fakes/apiserver/read/list_options.h"

namespace nodebound::apiserver {

struct Call;
struct ServerState;

/// Answers a watch with a stream of the changes to come.
HttpResponse answer_watch(ServerState& server, const Call& call, ListOptions options);

}  // namespace nodebound::apiserver
