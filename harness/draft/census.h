#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/inspect/inspected_object.h"
#include "reference/release/version.h"

namespace nodebound::draft {

/// Nodes that are alike: of one pool, with kubelets of one version.
struct CountedPool {
  std::string name;
  std::size_t nodes = 0;
  Version kubelet;
  std::map<std::string, std::string> labels;  ///< that all have, of those that a node may give itself freely
  std::vector<const inspect::InspectedObject*> members = {};  ///< their Nodes, in what was counted
};

/// What runs.
struct Census {
  std::vector<CountedPool> pools;
  std::size_t servers = 1;         ///< as many as there are Nodes of the control plane, at least one
  std::vector<std::string> notes;  ///< Nodes that could not be counted, and why
};

/// What is counted must outlive the census. An empty `pool_label` means the first known one that a Node has.
Census take_census(const inspect::Inspected& cluster, const std::string& pool_label);

}  // namespace nodebound::draft
