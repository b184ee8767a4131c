#pragma once

#include "fakes/kubelet/pods/pod_workers.h"

namespace nodebound::fake_kubelet {

/// Creates mirror pods, which show a node's static pods on the API server.
class MirrorPods {
 public:
  [[nodiscard]] KubeletTime due() const { return due_; }
  /// `pods`: the node's pods, including existing mirror pods.
  void act(KubeletSelf& self, const PodWorkers& pods);

 private:
  KubeletTime due_;
  std::uint64_t seen_ = 0;  ///< how many changes of its pods it has seen
};

/// The mirror pod of a static pod.
Object mirror_pod(const KubeletSelf& self, const Object& static_pod);

}  // namespace nodebound::fake_kubelet
