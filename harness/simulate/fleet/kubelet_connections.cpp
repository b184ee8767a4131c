#include "harness/simulate/fleet/kubelet_connections.h"

#include <utility>

#include "harness/simulate/control_plane/planned_tokens.h"
#include "harness/simulate/fleet/planned_line.h"
#include "harness/simulate/plan/planned_subject.h"

namespace nodebound::simulate {
namespace {

bool creates_signing_request(const HttpRequest& request, const HttpResponse& response) {
  return request.method == "POST" && response.status == 201 && request.target.ends_with("/certificatesigningrequests");
}

}  // namespace

KubeletConnections::Caller KubeletConnections::caller_of(const SimulatedNode& node) {
  return {node.name, node.client, std::make_shared<const Plan::Kubelet>(node.kubelet)};
}

std::unique_ptr<fake_kubelet::KubeletLine> KubeletConnections::line_of(const SimulatedNode& node) {
  PlannedLine::Options options;
  options.answering = [this, caller = caller_of(node)](fake_kubelet::KubeletCredential as, const HttpRequest& request) {
    return answer(caller, as, request);
  };
  options.certificate_end = [this, name = node.name]() -> std::optional<fake_kubelet::KubeletTime> {
    const auto certificate = control_plane_.certificates().certificate_of(name);
    return certificate ? std::optional(certificate->end) : std::nullopt;
  };
  options.streams = control_plane_.servers().streams();
  options.seed = plan_.seed;
  return std::make_unique<PlannedLine>(std::move(options));
}

HttpResponse KubeletConnections::answer(const Caller& caller, fake_kubelet::KubeletCredential as,
                                        const HttpRequest& request) {
  LoadBalancer& balancer = control_plane_.balancer();
  LoadBalancer::Answer out;
  if (const std::optional<Subject> subject = subject_of_caller(caller, as)) {
    out = balancer.handle(caller.client, *subject, request);
  } else {
    out.kind = balancer.kind_for(caller.client);
    out.response = as == fake_kubelet::KubeletCredential::bootstrap
                       ? unauthorized("the bootstrap token has expired, or is not there")
                       : expired();
  }
  note(caller, request, out);
  return std::move(out.response);
}

std::optional<Subject> KubeletConnections::subject_of_caller(const Caller& caller, fake_kubelet::KubeletCredential as) {
  const Plan::Kubelet& kubelet = *caller.kubelet;
  if (as == fake_kubelet::KubeletCredential::bootstrap)
    return control_plane_.bootstrap_tokens().subject_of(kubelet.join->token);
  if (has_expired(kubelet, caller.node)) return std::nullopt;
  return subject_of(kubelet.user, kubelet.groups, caller.node);
}

void KubeletConnections::note(const Caller& caller, const HttpRequest& request, const LoadBalancer::Answer& answer) {
  const Plan::Time now = clock_.since_begin();
  ledger_.note(caller.client, request, answer.response, now, {answer.kind, 0});
  const NodePlace* place = nodes_.find(caller.node);
  if (place != nullptr && is_heartbeat(request, answer.response)) nodes_[*place].heartbeats.hear(now);
  if (creates_signing_request(request, answer.response)) control_plane_.certificates().request_created();
}

bool KubeletConnections::has_expired(const Plan::Kubelet& kubelet, const std::string& node) const {
  const CertificateControllers& certificates = control_plane_.certificates();
  if (certificates.authority_has_ended()) return true;
  if (!kubelet.join) return false;
  const auto certificate = certificates.certificate_of(node);
  return !certificate || clock_.now >= certificate->end;
}

HttpResponse KubeletConnections::expired() const {
  return unauthorized(control_plane_.certificates().authority_has_ended() ? "the client CA has expired"
                                                                          : "the client certificate has expired");
}

}  // namespace nodebound::simulate
