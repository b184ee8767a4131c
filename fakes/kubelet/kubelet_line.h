#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "fakes/apiserver/http.h"

namespace nodebound {

/// Virtual time: it goes on as whoever drives a kubelet says.
using KubeletTime = std::chrono::sys_time<std::chrono::milliseconds>;

/// What a kubelet proves itself with.
enum class KubeletCredential {
  bootstrap,  ///< of its kubeconfig for TLS bootstrap
  node        ///< its client certificate
};

/// What a certificate is to be for.
struct CertificateOrder {
  std::string node;
  bool serving = false;  ///< a serving certificate, or else a client certificate
};

/// What ties a kubelet to an API server. It has the kubelet's keys, so that a kubelet itself knows names only.
///
/// An answer to a watch may have a stream, or none: then the kubelet lists again after a while.
class KubeletLine {
 public:
  virtual ~KubeletLine() = default;

  virtual HttpResponse send(KubeletCredential as, const HttpRequest& request) = 0;

  /// A PKCS #10 request, in PEM, for one of its keys.
  virtual std::string signing_request(const CertificateOrder& order) = 0;

  /// Proves itself with that certificate from now on, or serves with it. When it ends; nothing if it cannot be read.
  virtual std::optional<KubeletTime> install(const CertificateOrder& order, const std::string& pem) = 0;
};

}  // namespace nodebound
