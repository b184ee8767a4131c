#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "fakes/kubelet/kubelet_options.h"
#include "fakes/wire/certificates/pki.h"
#include "harness/simulate/control_plane/cluster_administrator.h"
#include "harness/simulate/plan/plan.h"
#include "harness/simulate/simulated_clock.h"

namespace nodebound {

/// The csrapproving, csrsigning and csrcleaner controllers of kube-controller-manager, for client certificates of
/// kubelets, and the client CA that API servers trust.
class CertificateControllers {
 public:
  /// Called each time it is decided whether a node's certificate request may be approved: `asked` is the access that
  /// its author needs, and `answer` has status 201 if it is allowed, 403 if not.
  using Judged = std::function<void(const std::string& node, const HttpRequest& asked, const HttpResponse& answer)>;
  using Signed = std::function<void(const std::string& node, const CertificateTime& of)>;

  CertificateControllers(ClusterAdministrator& administrator, const SimulatedClock& clock, Judged judged, Signed sign);

  void change(const Plan::Certificates& to) { settings_ = to; }
  /// Processes all requests. False once none of them needs another look.
  bool act();

  /// When the client certificate signed for a node is valid; nothing if none was signed.
  [[nodiscard]] std::optional<CertificateTime> certificate_of(const std::string& node) const;
  [[nodiscard]] bool authority_has_ended() const;

 private:
  struct Request {
    std::string version;  ///< of the API
    Object object;
    std::string node;  ///< the node that requests a kubelet client certificate
  };

  [[nodiscard]] std::string node_of(const Object& request) const;
  [[nodiscard]] bool is_old(const Object& request) const;
  /// Whether RBAC allows the author of the request to have it approved.
  bool may_be_approved(const Request& request);
  HttpResponse review(const Request& request, const std::string& subresource);
  static std::string path_of(const Request& request, const std::string& subresource);
  void approve(Request& request);
  void sign(Request& request);

  ClusterAdministrator& administrator_;
  const SimulatedClock& clock_;
  Judged judged_;
  Signed signed_;
  Plan::Certificates settings_;
  std::optional<CertificateAuthority> authority_;
  std::map<std::string, CertificateTime> certificates_;
};

}  // namespace nodebound
