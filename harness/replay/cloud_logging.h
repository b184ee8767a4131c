#pragma once

#include <optional>

#include "reference/cluster/object.h"

namespace nodebound::replay {

/// An entry of Cloud Logging for a request to a Kubernetes API server (google.cloud.audit.AuditLog), as an event of
/// audit.k8s.io/v1. The entry has neither groups nor query, so the event has no requestURI. Nothing if the entry is of
/// another service, or the first of two for a request.
std::optional<Object> event_of_cloud_logging(const Object& entry);

}  // namespace nodebound::replay
