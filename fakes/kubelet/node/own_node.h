#pragma once

#include "fakes/kubelet/reflector.h"

namespace nodebound::fake_kubelet {

/// The labels that the kubelet itself sets on its Node, with their values.
std::map<std::string, std::string> own_labels(const KubeletSelf& self);

/// The Node as a kubelet registers it.
Object node_object(const KubeletSelf& self);

/// The Node's conditions as of now, all healthy.
Object node_conditions(const KubeletSelf& self);

/// The patch that corrects the labels and other fields of an existing Node when a kubelet of the release registers;
/// null if nothing needs correction.
Object reconciling_patch(const KubeletSelf& self, const Object& node);

/// Keeps up to date what a kubelet knows about its own Node.
class OwnNodeSink final : public ObjectSink {
 public:
  explicit OwnNodeSink(KubeletSelf& self) : self_(self) {}

  void listed(const Object& items) override;
  void changed(const Object& object) override;
  void deleted(const Object& object) override;

 private:
  KubeletSelf& self_;
};

}  // namespace nodebound::fake_kubelet
