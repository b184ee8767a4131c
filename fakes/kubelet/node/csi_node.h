#pragma once

#include "fakes/kubelet/node/kubelet_self.h"

namespace nodebound::fake_kubelet {

/// Reports a node's CSI drivers to the API server: the CSINode, and annotations and labels of the Node.
class CsiNode {
 public:
  [[nodiscard]] KubeletTime due() const { return due_; }
  void act(KubeletSelf& self);

 private:
  static bool write_csi_node(KubeletSelf& self);
  static bool annotate_node(KubeletSelf& self, const CsiDriver& driver);

  KubeletTime due_;
  unsigned tries_ = 0;
};

}  // namespace nodebound::fake_kubelet
