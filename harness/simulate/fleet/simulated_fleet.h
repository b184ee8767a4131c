#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "fakes/kubelet/kubelets.h"
#include "harness/simulate/fleet/kubelet_connections.h"
#include "harness/simulate/fleet/pool_versions.h"
#include "harness/simulate/fleet/pool_workload.h"
#include "harness/simulate/fleet/simulated_nodes.h"
#include "harness/simulate/plan/representatives.h"

namespace nodebound::simulate {

/// The nodes of a plan with their kubelets and pods, and how steps change them.
class SimulatedFleet {
 public:
  SimulatedFleet(const Plan& plan, SimulatedControlPlane& control_plane, EventQueue& events, RefusalLedger& ledger,
                 VersionLog& versions);

  /// Starts the kubelets of all pools within a minute, and creates their pods.
  void start();
  /// Replaces kubelets, one batch after the other.
  void change(const Plan::ChangePool& change);
  void label(const Plan::LabelNodes& change);

  /// All API servers restart, which ends the kubelets' watches.
  void all_servers_restart() { kubelets_.drop_watches(); }
  /// kube-controller-manager has decided whether a node's certificate request may be approved.
  void certificate_judged(const std::string& node, const HttpRequest& asked, const HttpResponse& answer);
  /// Plans a restart of the node's kubelet for after this certificate has expired, unless it has a new one by then.
  void certificate_signed(const std::string& node, const fake_kubelet::CertificateTime& time);

  /// When a kubelet acts next.
  [[nodiscard]] fake_kubelet::KubeletTime next() { return kubelets_.next(); }
  /// Lets that kubelet act.
  void act() { kubelets_.act(clock_.now, 1); }

  [[nodiscard]] const SimulatedNodes& nodes() const { return nodes_; }
  [[nodiscard]] const fake_kubelet::FakeKubelet& kubelet_of(const SimulatedNode& node) const {
    return kubelets_[node.kubelet_number];
  }
  KubeletConnections& connections() { return connections_; }

  /// Null for an unknown node.
  [[nodiscard]] const fake_kubelet::KubeletTraits* traits_of(const std::string& node) const;
  /// How many nodes of its pool a node represents.
  [[nodiscard]] std::size_t weight_of(const std::string& node) const { return nodes_.weight_of(node); }
  /// The number of pods that its pool has on each node.
  [[nodiscard]] std::size_t workload_on(const std::string& node) const;
  /// The number of pods of a node's kubelet.
  [[nodiscard]] std::size_t pods_on(const std::string& node) const;
  /// The number of pods of a node, or only of those that wait to be started, including the pods that they represent.
  enum class Pods { all, waiting };
  [[nodiscard]] std::size_t count_pods(const NodePlace& place, Pods which) const;
  /// A sentence for the report if some nodes or pods represent others; otherwise nothing.
  [[nodiscard]] std::optional<std::string> how_many() const;

 private:
  void start_pool(std::size_t pool);
  void start_node(std::size_t pool, const Representative& representative);
  void change_batch(const Plan::ChangePool& change, std::size_t begin, std::size_t end);
  void replace(const NodePlace& place, const Plan::Kubelet& to);
  void move_node(const NodePlace& place, const Plan::Kubelet& to);
  [[nodiscard]] std::size_t add_client(std::size_t pool, const SimulatedNode& node);
  fake_kubelet::FakeKubelet::Identity identity_of(const SimulatedNode& node);
  [[nodiscard]] std::shared_ptr<const fake_kubelet::KubeletOptions> options_of(const SimulatedNode& node) const;

  const Plan& plan_;
  SimulatedControlPlane& control_plane_;
  EventQueue& events_;
  const SimulatedClock& clock_;
  RefusalLedger& ledger_;
  SimulatedNodes nodes_;
  KubeletConnections connections_;
  PoolVersions versions_;
  PoolWorkload workload_;
  fake_kubelet::Kubelets kubelets_;
  std::map<Version, std::shared_ptr<const fake_kubelet::KubeletTraits>> traits_;
  std::size_t moved_ = 0;  ///< nodes
};

}  // namespace nodebound::simulate
