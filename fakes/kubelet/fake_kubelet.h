#pragma once

#include <functional>
#include <memory>
#include <string>

#include "fakes/kubelet/node/certificate.h"
#include "fakes/kubelet/node/csi_node.h"
#include "fakes/kubelet/node/heartbeat.h"
#include "fakes/kubelet/node/node_labels.h"
#include "fakes/kubelet/node/registration.h"
#include "fakes/kubelet/pods/mirror_pods.h"
#include "fakes/kubelet/pods/pod_workers.h"

namespace nodebound::fake_kubelet {

/// A kubelet as the API server sees it: it sends the requests that a kubelet of its release sends, at the same times,
/// and runs no containers.
///
/// The caller controls time: `act(now)` does what is due, `next()` says when something is due. What a real kubelet does
/// concurrently runs here one after the other, in an order that the seed determines together with all other chance: the
/// same answers lead to the same requests.
class FakeKubelet {
 public:
  struct Identity {
    std::string node;
    std::shared_ptr<const KubeletTraits> traits;
    std::shared_ptr<const KubeletOptions> options;
    std::shared_ptr<NodeMachine> machine = nullptr;
  };

  /// `wake` is called when a watch has news, from the thread that writes on the server; `next()` is then in the past.
  /// It must not call the kubelet.
  FakeKubelet(Identity identity, std::unique_ptr<KubeletLine> line, std::function<void()> wake = nullptr);
  ~FakeKubelet();

  FakeKubelet(const FakeKubelet&) = delete;
  FakeKubelet& operator=(const FakeKubelet&) = delete;

  [[nodiscard]] KubeletTime next() const;
  void act(KubeletTime now);

  [[nodiscard]] const std::string& name() const { return self_.name; }
  [[nodiscard]] const KubeletTraits& traits() const { return *self_.traits; }
  /// The kubelet's judgement of its --node-labels. A kubelet that exits because of them never sends a request.
  [[nodiscard]] const NodeLabelsVerdict& labels_verdict() const { return labels_verdict_; }
  [[nodiscard]] bool registered() const { return registration_.done(); }
  [[nodiscard]] const std::vector<KubeletRefusal>& refusals() const { return self_.refusals.all(); }
  [[nodiscard]] const std::map<std::string, PodWorkers::Pod>& pods() const { return pods_.pods(); }

  /// Ends a pod of the node; false if it does not run.
  bool end_pod(const std::string& namespace_, const std::string& name, PodPhase phase);

  /// Drops the connections, as when the API server is replaced: all watches begin again.
  void drop_watches();

 private:
  void remove_slices();
  [[nodiscard]] bool watches_pods() const;

  KubeletSelf self_;
  NodeLabelsVerdict labels_verdict_;
  KubeletCertificate client_certificate_;
  std::optional<KubeletCertificate> serving_certificate_;
  Informers informers_;
  NodeRegistration registration_;
  StatusUpdates status_;
  LeaseRenewal lease_;
  CsiNode csi_node_;
  PodWorkers pods_;
  MirrorPods mirror_pods_;
  KubeletTime slices_due_;
};

}  // namespace nodebound::fake_kubelet
