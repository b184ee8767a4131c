#pragma once

#include <mutex>
#include <vector>

#include "reference/cluster/cluster.h"

namespace nodebound::apiserver {

struct ServerState;

/// The objects that an API server makes when it first starts on an empty store: namespaces, system PriorityClasses, its
/// own Service, and the bootstrap roles and bindings.
class FirstObjects {
 public:
  struct One {
    ObjectKey key;
    Object made;       ///< complete but for what the store gives it
    ObjectPtr stored;  ///< as every new store has it while no time passes
  };

  /// In the order in which to store them. The first server makes them; thread-safe.
  const std::vector<One>& of(const ServerState& server);

 private:
  std::once_flag once_;
  std::vector<One> all_;
};

/// Stores those that do not exist yet, and repairs the others.
void make_first_objects(ServerState& server);

}  // namespace nodebound::apiserver
