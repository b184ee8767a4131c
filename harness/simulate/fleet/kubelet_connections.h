#pragma once

#include <memory>
#include <optional>
#include <string>

#include "fakes/kubelet/kubelet_line.h"
#include "harness/simulate/control_plane/simulated_control_plane.h"
#include "harness/simulate/fleet/simulated_nodes.h"

namespace nodebound::simulate {

/// How kubelets reach the API servers: with which credentials, while they are valid, and with which answers, which the
/// ledger records.
class KubeletConnections {
 public:
  /// A kubelet as API servers see it.
  struct Caller {
    std::string node;
    std::size_t client = 0;
    std::shared_ptr<const Plan::Kubelet> kubelet;
  };

  KubeletConnections(const Plan& plan, SimulatedControlPlane& control_plane, SimulatedNodes& nodes,
                     RefusalLedger& ledger, const SimulatedClock& clock)
      : plan_(plan), control_plane_(control_plane), nodes_(nodes), ledger_(ledger), clock_(clock) {}

  static Caller caller_of(const SimulatedNode& node);
  std::unique_ptr<fake_kubelet::KubeletLine> line_of(const SimulatedNode& node);
  HttpResponse answer(const Caller& caller, fake_kubelet::KubeletCredential as, const HttpRequest& request);

  /// Whether API servers reject the client certificate of that node as expired, or there is none.
  [[nodiscard]] bool has_expired(const SimulatedNode& node) const { return has_expired(node.kubelet, node.name); }
  /// The answer of API servers to an expired client certificate.
  [[nodiscard]] HttpResponse expired() const;

 private:
  [[nodiscard]] bool has_expired(const Plan::Kubelet& kubelet, const std::string& node) const;
  std::optional<Subject> subject_of_caller(const Caller& caller, fake_kubelet::KubeletCredential as);
  void note(const Caller& caller, const HttpRequest& request, const LoadBalancer::Answer& answer);

  const Plan& plan_;
  SimulatedControlPlane& control_plane_;
  SimulatedNodes& nodes_;
  RefusalLedger& ledger_;
  const SimulatedClock& clock_;
};

}  // namespace nodebound::simulate
