#pragma once

#include <cstddef>
#include <vector>

#include "harness/simulate/plan/plan.h"

namespace nodebound {

// Nodes of a pool are started alike and have similar pods, so the API server answers them alike: a node's access
// depends only on its own objects. Some nodes therefore represent the others, and count for them.

struct Representative {
  std::size_t number = 0;  ///< in the pool
  std::size_t weight = 1;  ///< how many nodes it represents, including itself
};

/// How many nodes of each pool are simulated, besides those with objects of their own. With many pools, fewer of each,
/// because differences lie between pools.
std::size_t most_nodes_of_a_pool(std::size_t pools);

/// The chosen nodes in the order of the pool, spread evenly so that a rolling change keeps meeting one. Nodes with
/// objects of their own represent only themselves.
std::vector<Representative> representatives_of(const Plan::Pool& pool, const std::vector<Object>& objects,
                                               std::size_t most = most_nodes_of_a_pool(1));

/// How many pods of a node are simulated.
std::size_t simulated_pods(const Plan::Pool& pool);

}  // namespace nodebound
