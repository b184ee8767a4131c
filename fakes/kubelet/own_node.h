#pragma once

#include "fakes/kubelet/reflector.h"

namespace nodebound {

/// Labels that the kubelet gives its Node itself, with their values.
std::map<std::string, std::string> own_labels(const KubeletSelf& self);

/// The Node as a kubelet registers it.
Object node_object(const KubeletSelf& self);

/// Its conditions, all well, as of now.
Object node_conditions(const KubeletSelf& self);

/// Puts the labels right of a Node that is there, and what else a release puts right when it finds itself registered;
/// null where all is well.
Object reconciling_patch(const KubeletSelf& self, const Object& node);

/// Keeps what a kubelet knows of its own Node.
class OwnNodeSink final : public ObjectSink {
 public:
  explicit OwnNodeSink(KubeletSelf& self) : self_(self) {}

  void listed(const Object& items) override;
  void changed(const Object& object) override;
  void deleted(const Object& object) override;

 private:
  KubeletSelf& self_;
};

}  // namespace nodebound
