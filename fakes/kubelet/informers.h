#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fakes/kubelet/node/own_node.h"

namespace nodebound::fake_kubelet {

/// What a kubelet knows about the cluster's CSI drivers.
class CsiDriverSink final : public ObjectSink {
 public:
  struct Known {
    bool attached = true;                ///< its volumes must be attached before they are mounted
    std::vector<std::string> audiences;  ///< audiences of the pod tokens that it requests
  };
  /// Null if there is no CSIDriver object for the driver.
  [[nodiscard]] const Known* find(const std::string& driver) const;

  void listed(const Object& items) override;
  void changed(const Object& object) override;
  void deleted(const Object& object) override;

 private:
  std::map<std::string, Known> known_;
};

/// The objects that a kubelet lists and watches from its start, besides its pods and what these reference.
class Informers {
 public:
  explicit Informers(KubeletSelf& self);

  [[nodiscard]] KubeletTime due() const;
  void act(KubeletSelf& self);
  void drop();

  /// A pod projects a ClusterTrustBundle, so they must be watched from now on.
  void need_trust_bundles(const KubeletSelf& self);
  [[nodiscard]] const CsiDriverSink& csi_drivers() const { return csi_drivers_; }

 private:
  void follow_config(KubeletSelf& self);

  OwnNodeSink node_sink_;
  CsiDriverSink csi_drivers_;
  Reflector services_;
  Reflector node_;
  std::optional<Reflector> runtime_classes_;
  std::optional<Reflector> drivers_;
  std::optional<Reflector> pod_certificates_;
  std::optional<Reflector> trust_bundles_;
  std::optional<Reflector> config_;
};

}  // namespace nodebound::fake_kubelet
