#pragma once

#include "fakes/apiserver/read/table.h"

namespace nodebound::apiserver {

// What `kubectl get` shows of workloads (pkg/printers/internalversion/printers.go).

extern const TableColumns deployment_columns;
extern const TableColumns replica_columns;  ///< of ReplicaSets and ReplicationControllers
extern const TableColumns stateful_set_columns;
extern const TableColumns daemon_set_columns;

/// A label selector, structured or plain, as text; empty if it selects nothing in particular.
std::string selector_text(const Object& selector);

}  // namespace nodebound::apiserver
