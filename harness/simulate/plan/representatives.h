#pragma once

#include <cstddef>
#include <vector>

#include "harness/simulate/plan/plan.h"

namespace nodebound::simulate {

// Nodes of a pool are started alike and have similar pods, and what a node is allowed depends only on its own objects.
// So the API server answers them alike, and a few nodes represent the others.

struct Representative {
  std::size_t number = 0;  ///< in the pool
  std::size_t weight = 1;  ///< how many nodes it represents, including itself
};

/// How many nodes of each pool are simulated, besides those with objects of their own: fewer if there are many pools.
std::size_t most_nodes_of_a_pool(std::size_t pools);

/// The simulated nodes in the order of the pool, spread over it so that a rolling change reaches one after the other.
/// Nodes with objects of their own represent only themselves.
std::vector<Representative> representatives_of(const Plan::Pool& pool, const std::vector<Object>& objects,
                                               std::size_t most = most_nodes_of_a_pool(1));

/// How many pods of a node are simulated.
std::size_t simulated_pods(const Plan::Pool& pool);

}  // namespace nodebound::simulate
