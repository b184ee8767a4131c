#pragma once

#include "fakes/kubelet/node/kubelet_self.h"

namespace nodebound::fake_kubelet {

/// Creates the Node, or corrects an existing one; retries until that is done.
class NodeRegistration {
 public:
  [[nodiscard]] KubeletTime due() const { return done_ ? KubeletTime::max() : due_; }
  [[nodiscard]] bool done() const { return done_; }
  void act(KubeletSelf& self);

 private:
  static bool register_node(KubeletSelf& self);
  static bool take_over(KubeletSelf& self, const Object& node);

  KubeletTime due_;
  unsigned tries_ = 0;
  bool done_ = false;
};

}  // namespace nodebound::fake_kubelet
