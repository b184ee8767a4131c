#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/draft/census.h"
#include "harness/inspect/knowledge.h"
#include "harness/replay/clients/client_table.h"
#include "reports/findings/finding.h"

namespace nodebound::draft {

/// A DaemonSet whose pods hold the kubelet's credentials: on each of its Nodes one asks as that node.
struct NodeAgent {
  std::string title;  ///< `DaemonSet kube-system/agent`
  std::string name;
  std::vector<std::string> pools;     ///< with Nodes that its pods fit: by selector, affinity and tolerations
  std::vector<std::string> parts;     ///< `3 of 5 nodes of pool blue`, where they do not fit all of a pool
  std::set<std::string> requests;     ///< empty: not known
  std::string requests_of;            ///< where the requests are from
  std::optional<std::size_t> of_log;  ///< the program of the logs that it is, by its place among them
};

/// Those among the workloads that inspect found. Of which program of the logs a DaemonSet is, the names of its
/// containers, images and commands say; without one, what others like it were hit by.
std::vector<NodeAgent> node_agents(const inspect::Inspected& cluster, const Census& census,
                                   const std::vector<Finding>& with_credentials,
                                   const std::vector<replay::AgentOfNodes>& of_logs,
                                   const inspect::InspectionKnowledge& knowledge);

}  // namespace nodebound::draft
