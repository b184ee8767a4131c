#pragma once

#include "fakes/serving/api_handler.h"

namespace nodebound {

/// Logs each answered request on standard error, with the time in UTC. Thread-safe.
///
///     12:00:01.234 GET /api/v1/nodes/b by system:node:a: 403, node-read-own
ApiHandler::Answered request_log();

}  // namespace nodebound
