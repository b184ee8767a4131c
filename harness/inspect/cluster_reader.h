#pragma once

#include <string>

#include "harness/guest/rights.h"
#include "harness/inspect/inspected_object.h"
#include "reference/result.h"

namespace nodebound::inspect {

/// A cluster as it is read: with GET alone.
struct InspectedCluster {
  std::string version;  ///< `v1.31.4`
  Inspected inspected;
};

/// The rights that reading wants.
guest::Rights rights_to_inspect();

/// Reads what is inspected from the cluster of a kubeconfig (`FILE`, `FILE#CONTEXT`, `#CONTEXT` or empty), in pages. A
/// resource that may not be read, or is not served, is a trouble.
Result<InspectedCluster> read_cluster(const std::string& kubeconfig, const RequestLimits& limits);

}  // namespace nodebound::inspect
