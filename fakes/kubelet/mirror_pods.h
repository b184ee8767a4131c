#pragma once

#include "fakes/kubelet/pod_workers.h"

namespace nodebound {

/// Shows the static pods of a node to the API server, as mirror pods.
class MirrorPods {
 public:
  [[nodiscard]] KubeletTime due() const { return due_; }
  /// `pods`: those of the node, among them the mirror pods that are there.
  void act(KubeletSelf& self, const PodWorkers& pods);

 private:
  KubeletTime due_;
  std::uint64_t seen_ = 0;  ///< of the changes of its pods
};

/// The mirror of a static pod on a node.
Object mirror_pod(const KubeletSelf& self, const Object& static_pod);

}  // namespace nodebound
