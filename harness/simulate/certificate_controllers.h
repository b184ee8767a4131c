#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "fakes/kubelet/kubelet_options.h"
#include "harness/endpoint/pki.h"
#include "harness/simulate/cluster_administrator.h"
#include "harness/simulate/plan.h"
#include "harness/simulate/simulated_clock.h"

namespace nodebound {

/// kube-controller-manager's csrapproving, csrsigning and csrcleaner, as far as client certificates of kubelets go, and
/// the client CA that API servers trust.
class CertificateControllers {
 public:
  /// A request for a certificate may not be approved: of the node, with what was asked and answered instead; or may.
  using Judged = std::function<void(const std::string& node, const HttpRequest& asked, const HttpResponse& answer)>;
  using Signed = std::function<void(const std::string& node, const CertificateTime& of)>;

  CertificateControllers(ClusterAdministrator& administrator, const SimulatedClock& clock, Judged judged, Signed sign);

  void change(const Plan::Certificates& to) { settings_ = to; }
  /// Looks at all requests that there are; false once none are left that have to be looked at again.
  bool act();

  /// Of the client certificate of a node that has one of the plan.
  [[nodiscard]] std::optional<CertificateTime> certificate_of(const std::string& node) const;
  [[nodiscard]] bool authority_has_ended() const;

 private:
  struct Request {
    std::string version;  ///< of the API
    Object object;
    std::string node;  ///< of a request for a kubelet's client certificate
  };

  [[nodiscard]] std::string node_of(const Object& request) const;
  [[nodiscard]] bool is_old(const Object& request) const;
  /// Whether RBAC lets whoever has sent it have it approved.
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
