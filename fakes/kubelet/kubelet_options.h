#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fakes/kubelet/kubelet_line.h"
#include "reference/cluster/object.h"

namespace nodebound {

/// A CSI driver that is installed on a node.
struct CsiDriver {
  std::string name;
  std::map<std::string, std::string> topology = {};  ///< labels that it has the kubelet set
};

/// When a certificate is good.
struct CertificateTime {
  KubeletTime begin;
  KubeletTime end;
};

/// How a kubelet is started. Kubelets that are started alike share it.
struct KubeletOptions {
  std::map<std::string, std::string> node_labels;  ///< --node-labels
  std::vector<Object> register_with_taints;        ///< --register-with-taints
  std::string external_id;                         ///< of an instance; its name where it is empty
  std::vector<Object> static_pods;                 ///< what lies in its folder of manifests
  std::vector<CsiDriver> csi_drivers;
  bool bootstrap = false;  ///< it begins without a client certificate
  /// Of the client certificate that it begins with; without, nobody knows when that ends.
  std::optional<CertificateTime> certificate;
  bool serving_csr = false;    ///< --rotate-server-certificates: it asks for its serving certificate
  bool rotate = true;          ///< --rotate-certificates
  bool events = true;          ///< it tells of what it does in events
  std::optional<bool> claims;  ///< feature gate DynamicResourceAllocation, where it is not at its default
  std::uint64_t seed = 0;

  /// Which watches it keeps open. Those that it does not keep are asked for again when their time is over, as kept ones
  /// are: so what it sends is the same, but that it learns later of what has changed.
  enum class Keeps { all, own };  ///< `own`: those of its node and its pods
  Keeps keeps = Keeps::all;

  /// Status and Lease are not sent more often than this. For simulations of weeks, in which what is asked every ten
  /// seconds, and answered alike, costs more than all else together.
  std::chrono::seconds heartbeats_apart{0};
  /// How soon it lists again what a line without streams does not let it watch.
  std::chrono::seconds lists_apart{10};
};

}  // namespace nodebound
