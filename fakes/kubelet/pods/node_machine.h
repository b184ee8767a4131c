#pragma once

#include <string>

#include "reference/cluster/object.h"

namespace nodebound::fake_kubelet {

/// The machine of a kubelet: where it is reached, and what its API shows of its pods. A kubelet without one says no
/// addresses of pods.
class NodeMachine {
 public:
  virtual ~NodeMachine() = default;

  /// The IP address at which the kubelet serves its own API.
  [[nodiscard]] virtual const std::string& address() const = 0;
  [[nodiscard]] virtual int kubelet_port() const = 0;

  /// The IP address of a pod with a network of its own, the same at each call.
  virtual std::string pod_address(const std::string& uid) = 0;

  /// A pod that runs or has ended, with the status that the kubelet reports.
  virtual void shows(const Object& pod) = 0;
  /// A pod that is gone.
  virtual void forgets(const std::string& uid) = 0;
};

}  // namespace nodebound::fake_kubelet
