#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "harness/simulate/clock/event_queue.h"
#include "harness/simulate/control_plane/certificate_controllers.h"
#include "harness/simulate/control_plane/planned_bootstrap_tokens.h"
#include "harness/simulate/control_plane/pod_placement.h"
#include "harness/simulate/records/refusal_ledger.h"
#include "harness/simulate/records/version_log.h"

namespace nodebound::simulate {

/// The namespace of the pods that pools have on each node.
inline constexpr const char* workload_namespace = "workload";

/// The control plane of a plan: its API servers behind one address, the controllers, and the administrator.
class SimulatedControlPlane {
 public:
  /// What it tells the kubelets.
  struct Callbacks {
    std::function<void()> all_servers_restart;  ///< is called before
    CertificateControllers::Judged judged;
    CertificateControllers::Signed certificate_signed;
  };

  SimulatedControlPlane(const Plan& plan, PlannedServers& servers, EventQueue& events, RefusalLedger& ledger,
                        VersionLog& versions, Callbacks callbacks);

  /// Starts the API servers, and creates bootstrap tokens and the plan's objects.
  Result<void> start();
  /// Replaces API servers, now or one batch after the other.
  Result<void> change(const Plan::ChangeControlPlane& change);
  /// Ends watches whose time is over. Call it regularly.
  void tick() { servers_.tick(); }

  /// Real servers do not know the tokens of a plan, and their watches do not stay open.
  [[nodiscard]] const PlannedServers& servers() const { return servers_; }
  [[nodiscard]] const LoadBalancer& balancer() const { return balancer_; }
  LoadBalancer& balancer() { return balancer_; }
  ClusterAdministrator& administrator() { return administrator_; }
  CertificateControllers& certificates() { return certificates_; }
  PlannedBootstrapTokens& bootstrap_tokens() { return bootstrap_tokens_; }
  DaemonSets& daemon_sets() { return daemon_sets_; }
  PodPlacement& pod_placement() { return pod_placement_; }

 private:
  using Servers = std::map<std::size_t, Plan::ControlPlane>;
  Result<void> replace(const Servers& servers);
  void note_versions(const std::map<Version, std::size_t>& before);

  const Plan& plan_;
  PlannedServers& servers_;
  EventQueue& events_;
  RefusalLedger& ledger_;
  VersionLog& versions_;
  std::function<void()> all_servers_restart_;
  LoadBalancer balancer_;
  ClusterAdministrator administrator_;
  CertificateControllers certificates_;
  PlannedBootstrapTokens bootstrap_tokens_;
  DaemonSets daemon_sets_;
  PodPlacement pod_placement_;
};

}  // namespace nodebound::simulate
