#pragma once

#include "reference/cluster/object.h"

namespace nodebound::apiserver {

struct Call;

/// The options of a connection, as webhooks see them: `PodExecOptions` and its like, from the query of the request.
Object connect_options(const Call& call);

}  // namespace nodebound::apiserver
