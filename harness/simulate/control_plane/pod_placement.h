#pragma once

#include "harness/simulate/control_plane/daemon_sets.h"

namespace nodebound::simulate {

/// What kube-controller-manager and kube-scheduler do about Nodes that decides where pods run: they copy the labels of
/// os and arch, remove the taint of Nodes that are not ready, place the DaemonSets' pods and bind unbound pods.
class PodPlacement {
 public:
  PodPlacement(const Plan& plan, LoadBalancer& balancer, ClusterAdministrator& administrator, DaemonSets& daemon_sets);

  void place();

 private:
  [[nodiscard]] Object with_os_labels(Object node, const Release& controllers);

  LoadBalancer& balancer_;
  ClusterAdministrator& administrator_;
  DaemonSets& daemon_sets_;
  bool has_unbound_pods_;
};

}  // namespace nodebound::simulate
