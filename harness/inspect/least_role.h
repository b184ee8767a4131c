#pragma once

#include <string>
#include <vector>

#include "harness/explain/kubelet_fleet.h"
#include "harness/inspect/inspected_object.h"

namespace nodebound::inspect {

/// What users of the kubelet's API need, if kubelets of several releases are asked.
struct LeastRoleQuestion {
  Version oldest;                  ///< of the kubelets
  Version newest;                  ///< of the kubelets, and of the API server
  GateSettings gates;              ///< of the kubelets, in the releases that accept them
  std::vector<std::string> needs;  ///< `GET /pods`; empty: those of a monitoring agent
};

/// The least role for each ClusterRole with nodes/proxy among the objects, whoever holds it; without one, for a new
/// reader of kubelets.
Result<explain::KubeletFleet> least_roles(const Catalogue& catalogue, const LeastRoleQuestion& question,
                                          const std::vector<InspectedObject>& objects);

}  // namespace nodebound::inspect
