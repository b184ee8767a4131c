#pragma once

#include <mutex>
#include <utility>
#include <vector>

#include "reference/cluster/cluster.h"

namespace nodebound::apiserver {

struct ServerState;

/// The objects that an API server makes when it first starts on an empty store: namespaces, system PriorityClasses, its
/// own Service, and the bootstrap roles and bindings.
class FirstObjects {
 public:
  using Stored = std::vector<std::pair<ObjectKey, ObjectPtr>>;

  /// As a new store has them, in the order in which they come. The first server makes them; thread-safe.
  const Stored& of(const ServerState& server);

 private:
  std::once_flag once_;
  Stored all_;
};

/// Stores those that do not exist yet, and repairs the others.
void make_first_objects(ServerState& server);

}  // namespace nodebound::apiserver
