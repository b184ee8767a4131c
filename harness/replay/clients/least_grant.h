#pragma once

#include <string>
#include <vector>

#include "harness/objects/cluster_file.h"
#include "harness/replay/clients/client_table.h"
#include "harness/replay/replay.h"

namespace nodebound::replay {

/// A ServiceAccount for an agent that asks as a node, with the least roles, and what became of its requests with them.
struct LeastGrant {
  std::string user_agent;
  std::string account;                 ///< name of the ServiceAccount
  std::vector<ClusterObject> objects;  ///< it, roles and bindings
  std::size_t tried = 0;               ///< requests that were allowed in the log
  std::size_t refused = 0;             ///< of these, with the roles, at the release one is going to
  bool incomplete = false;             ///< it asks for more than was kept
};

/// Roles for each agent that asks as a node, tried by reading the logs once more. The logs must be files.
Result<std::vector<LeastGrant>> least_grants(const ReplayQuestion& question, const std::vector<AgentOfNodes>& agents);

/// As `kubectl apply` takes it, with what was tried as comments.
std::string to_yaml(const std::vector<LeastGrant>& grants);

}  // namespace nodebound::replay
