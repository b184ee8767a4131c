#pragma once

#include "fakes/proxy/backend.h"

namespace nodebound::proxy {

/// Passes requests on to kubelets and pods as kube-apiserver does (UpgradeAwareHandler in apimachinery's
/// pkg/util/proxy, LocationStreamer in apiserver's pkg/registry/generic/rest). No redirect is followed
/// (CVE-2018-1002102). Thread-safe.
class KubeletProxy {
 public:
  struct Options {
    /// Which of a Node's addresses its kubelet is reached at, the preferred type first.
    std::vector<std::string> address_types = {"Hostname", "InternalDNS", "InternalIP", "ExternalDNS", "ExternalIP"};
    /// Addresses that nodes/proxy and pods/proxy reach although they are not global unicast (`host:port`), or all.
    std::vector<std::string> permitted = {};
    bool permits_all = false;
  };

  /// `backends` must outlive it.
  KubeletProxy(Backends& backends, Options options) : backends_(backends), options_(std::move(options)) {}

  /// The answer of the server that `to` names. It waits until that server answers. `own` is what the API server says if
  /// nobody can be asked, with the annotations and headers that every answer of it has.
  HttpResponse forward(const IncomingRequest& request, Onward to, HttpResponse own);

 private:
  [[nodiscard]] bool permits(const Onward& to) const;
  HttpResponse answer_of(const IncomingRequest& request, const Onward& to);
  HttpResponse read_log(const Onward& to);
  HttpResponse upgrade(const IncomingRequest& request, const Onward& to);
  HttpResponse proxy(const IncomingRequest& request, const Onward& to);

  Backends& backends_;
  Options options_;
};

/// Whether an address is one that a proxy may reach: Go's IP.IsGlobalUnicast. A name is none.
bool is_global_unicast(const std::string& address);

}  // namespace nodebound::proxy
