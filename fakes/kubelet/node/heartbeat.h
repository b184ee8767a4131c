#pragma once

#include "fakes/kubelet/node/kubelet_self.h"

namespace nodebound::fake_kubelet {

/// Keeps the status of the Node up to date.
class StatusUpdates {
 public:
  [[nodiscard]] KubeletTime due() const { return due_; }
  void act(KubeletSelf& self);

 private:
  static bool update(KubeletSelf& self, bool send);

  KubeletTime due_;
  KubeletTime send_at_;
};

/// Renews the node's Lease, in releases that have one.
class LeaseRenewal {
 public:
  [[nodiscard]] KubeletTime due() const { return due_; }
  void act(KubeletSelf& self);

 private:
  bool renew(KubeletSelf& self);
  bool make(KubeletSelf& self);
  bool keep(const ApiAnswer& answer);
  [[nodiscard]] Object lease(const KubeletSelf& self) const;

  KubeletTime due_;
  unsigned failures_ = 0;
  std::string uid_;      ///< of the Lease; empty while the Lease is unknown
  std::string version_;  ///< likewise
};

}  // namespace nodebound::fake_kubelet
