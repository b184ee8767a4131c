#pragma once

#include <cstddef>
#include <vector>

#include "harness/simulate/plan.h"

namespace nodebound {

// Nodes of a pool are started alike and have pods that are alike, so the API server answers them alike: what a node is
// allowed depends on its own objects alone. Some of them stand for the others, and count as many.

struct Representative {
  std::size_t number = 0;  ///< in the pool
  std::size_t weight = 1;  ///< how many it stands for, itself included
};

/// How many nodes of each of so many pools are simulated, beside those with objects of their own. Where there are many
/// pools, fewer of each: it is pools that differ.
std::size_t most_nodes_of_a_pool(std::size_t pools);

/// In the order of the pool: so many, spread over it, that a rolling change meets one of them again and again. Nodes
/// that have objects of their own stand for themselves.
std::vector<Representative> representatives_of(const Plan::Pool& pool, const std::vector<Object>& objects,
                                               std::size_t most = most_nodes_of_a_pool(1));

/// How many of the pods of a node are simulated.
std::size_t simulated_pods(const Plan::Pool& pool);

}  // namespace nodebound
