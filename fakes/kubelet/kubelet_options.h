#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fakes/kubelet/kubelet_line.h"
#include "reference/cluster/object.h"

namespace nodebound::fake_kubelet {

/// A CSI driver that is installed on a node.
struct CsiDriver {
  std::string name;
  std::map<std::string, std::string> topology = {};  ///< labels that the kubelet sets for it
};

/// The validity of a certificate.
struct CertificateTime {
  KubeletTime begin;
  KubeletTime end;
};

/// How a kubelet is started. Kubelets that are started alike share it.
struct KubeletOptions {
  std::map<std::string, std::string> node_labels;  ///< --node-labels
  std::vector<Object> register_with_taints;        ///< --register-with-taints
  std::string external_id;                         ///< of the cloud instance; empty: the node's name
  std::vector<Object> static_pods;                 ///< from its folder of manifests
  std::vector<CsiDriver> csi_drivers;
  bool bootstrap = false;  ///< it starts without a client certificate
  /// Validity of the client certificate that it starts with; nothing: the certificate's end is unknown.
  std::optional<CertificateTime> certificate;
  bool serving_csr = false;    ///< --rotate-server-certificates: it requests its serving certificate
  bool rotate = true;          ///< --rotate-certificates
  bool events = true;          ///< it sends Events
  std::optional<bool> claims;  ///< feature gate DynamicResourceAllocation, if not at its default
  std::uint64_t seed = 0;

  /// Which watches it keeps open. The others end at once and are requested again at the end of their time, as kept ones
  /// are: the kubelet sends the same requests, but learns of changes later.
  enum class Keeps { all, own };  ///< `own`: the watches of its Node and its pods
  Keeps keeps = Keeps::all;

  /// Status and Lease are sent at least this far apart. For simulations of weeks, in which the same update every ten
  /// seconds would cost more than everything else.
  std::chrono::seconds heartbeats_apart{0};
  /// How soon it lists again what it cannot watch over a line without streams.
  std::chrono::seconds lists_apart{10};
};

}  // namespace nodebound::fake_kubelet
