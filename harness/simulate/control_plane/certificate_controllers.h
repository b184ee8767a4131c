#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "fakes/kubelet/kubelet_options.h"
#include "fakes/wire/certificates/pki.h"
#include "harness/simulate/clock/event_queue.h"
#include "harness/simulate/control_plane/cluster_administrator.h"
#include "harness/simulate/plan/plan.h"

namespace nodebound::simulate {

/// The csrapproving, csrsigning and csrcleaner controllers of kube-controller-manager, for client certificates of
/// kubelets, and the client CA that API servers trust.
class CertificateControllers {
 public:
  /// Called each time it is decided whether a node's certificate request may be approved: `asked` is the access that
  /// its author needs, and `answer` has status 201 if it is allowed, 403 if not.
  using Judged = std::function<void(const std::string& node, const HttpRequest& asked, const HttpResponse& answer)>;
  using Signed = std::function<void(const std::string& node, const fake_kubelet::CertificateTime& of)>;

  CertificateControllers(ClusterAdministrator& administrator, EventQueue& events, Judged judged, Signed sign);

  void change(const Plan::Certificates& to) { settings_ = to; }
  /// Someone has created a certificate request: the controllers process it a little later.
  void request_created();

  /// When the client certificate signed for a node is valid; nothing if none was signed.
  [[nodiscard]] std::optional<fake_kubelet::CertificateTime> certificate_of(const std::string& node) const;
  [[nodiscard]] bool authority_has_ended() const;

 private:
  struct Request {
    std::string version;  ///< of the API
    Object object;
    std::string node;  ///< the node that requests a kubelet client certificate
  };

  /// Processes all requests at that time, unless it does so earlier, and again until none is left.
  void look_at(fake_kubelet::KubeletTime time);
  /// False once no request needs another look.
  bool process_requests();
  [[nodiscard]] std::string node_of(const Object& request) const;
  [[nodiscard]] bool is_old(const Object& request) const;
  /// Whether RBAC allows the author of the request to have it approved.
  bool may_be_approved(const Request& request);
  HttpResponse review(const Request& request, const std::string& subresource);
  static std::string path_of(const Request& request, const std::string& subresource);
  void approve(Request& request);
  void sign(Request& request);

  ClusterAdministrator& administrator_;
  EventQueue& events_;
  const SimulatedClock& clock_;
  Judged judged_;
  Signed signed_;
  Plan::Certificates settings_;
  std::optional<fake_kubelet::KubeletTime> next_look_;
  std::optional<CertificateAuthority> authority_;
  std::map<std::string, fake_kubelet::CertificateTime> certificates_;
};

}  // namespace nodebound::simulate
