#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "fakes/wire/http.h"

namespace nodebound::fake_kubelet {

/// Virtual time: the driver of the kubelets decides how it advances.
using KubeletTime = std::chrono::sys_time<std::chrono::milliseconds>;

/// The credential that a kubelet shows.
enum class KubeletCredential {
  bootstrap,  ///< of its bootstrap kubeconfig (TLS bootstrap)
  node        ///< its client certificate
};

/// What a certificate is for.
struct CertificateOrder {
  std::string node;
  bool serving = false;  ///< true: a serving certificate; false: a client certificate
};

/// A kubelet's connection to an API server. It holds the kubelet's keys, so the kubelet itself only handles names.
///
/// The answer to a watch may have no stream: then the kubelet lists again after a while.
class KubeletLine {
 public:
  virtual ~KubeletLine() = default;

  virtual HttpResponse send(KubeletCredential as, const HttpRequest& request) = 0;

  /// A PKCS #10 request in PEM, signed with one of its keys.
  virtual std::string signing_request(const CertificateOrder& order) = 0;

  /// From now on uses that certificate as its credential, or serves with it. Returns when it ends; nothing if it cannot
  /// be read.
  virtual std::optional<KubeletTime> install(const CertificateOrder& order, const std::string& pem) = 0;
};

}  // namespace nodebound::fake_kubelet
