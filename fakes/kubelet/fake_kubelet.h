#pragma once

#include <functional>
#include <memory>
#include <string>

#include "fakes/kubelet/certificate.h"
#include "fakes/kubelet/csi_node.h"
#include "fakes/kubelet/heartbeat.h"
#include "fakes/kubelet/mirror_pods.h"
#include "fakes/kubelet/node_labels.h"
#include "fakes/kubelet/pod_workers.h"
#include "fakes/kubelet/registration.h"

namespace nodebound {

/// A kubelet as the API server meets it: it asks for what a kubelet of its release asks for, when that would, and runs
/// nothing.
///
/// Time is what whoever drives it says: `act(now)` does what is due, `next()` is when something is. What a kubelet does
/// side by side it does one after the other, in an order that its seed decides with the rest: the same answers make the
/// same requests.
class FakeKubelet {
 public:
  struct Identity {
    std::string node;
    std::shared_ptr<const KubeletTraits> traits;
    std::shared_ptr<const KubeletOptions> options;
  };

  /// `wake` is called, from whatever thread writes on the server, when a watch has something to tell: `next()` is then
  /// in the past. It must not call the kubelet.
  FakeKubelet(Identity identity, std::unique_ptr<KubeletLine> line, std::function<void()> wake = nullptr);
  ~FakeKubelet();

  FakeKubelet(const FakeKubelet&) = delete;
  FakeKubelet& operator=(const FakeKubelet&) = delete;

  [[nodiscard]] KubeletTime next() const;
  void act(KubeletTime now);

  [[nodiscard]] const std::string& name() const { return self_.name; }
  [[nodiscard]] const KubeletTraits& traits() const { return *self_.traits; }
  /// What it says to its --node-labels; one that exits never does anything.
  [[nodiscard]] const NodeLabelsVerdict& labels_verdict() const { return labels_verdict_; }
  [[nodiscard]] bool registered() const { return registration_.done(); }
  [[nodiscard]] const std::vector<KubeletRefusal>& refusals() const { return self_.refusals.all(); }
  [[nodiscard]] const std::map<std::string, PodWorkers::Pod>& pods() const { return pods_.pods(); }

  /// Has a pod of the node come to its end; false if it does not run.
  bool end_pod(const std::string& namespace_, const std::string& name, PodPhase phase);

  /// Its connections are gone, as when the API server is replaced: all watches begin again.
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

}  // namespace nodebound
