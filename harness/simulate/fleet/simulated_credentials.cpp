#include <utility>

#include "fakes/authentication/bootstrap_tokens.h"
#include "fakes/wire/timestamp.h"
#include "harness/simulate/fleet/planned_line.h"
#include "harness/simulate/fleet/planned_tokens.h"
#include "harness/simulate/plan/planned_subject.h"
#include "harness/simulate/simulated_cluster.h"
#include "reference/encoding/base64.h"

namespace nodebound {
namespace {

// With servers whose watches do not stay open, lists replace them. They are sampled like heartbeats.
constexpr std::chrono::minutes lists_apart{1};

// How long after its last valid certificate a kubelet exits and is restarted (pkg/kubelet/certificate/transport.go,
// exitAfter in cmd/kubelet/app/server.go).
constexpr std::chrono::minutes exits_after{5};

// The controllers' queues: the delay of the first look, and the longest back-off.
constexpr std::chrono::seconds first_look{1};
constexpr std::chrono::minutes looks_apart{15};

// The secret half of a bootstrap token: plans do not contain one.
constexpr const char* token_secret = "0123456789abcdef";

bool makes_signing_request(const HttpRequest& request, const HttpResponse& response) {
  return request.method == "POST" && response.status == 201 && request.target.ends_with("/certificatesigningrequests");
}

}  // namespace

std::shared_ptr<const KubeletOptions> SimulatedCluster::kubelet_options(const Plan::Kubelet& kubelet,
                                                                        const std::string& node) const {
  KubeletOptions out;
  out.node_labels = kubelet.node_labels;
  out.register_with_taints = kubelet.taints;
  out.static_pods = kubelet.static_pods;
  out.keeps = KubeletOptions::Keeps::own;
  out.heartbeats_apart = heartbeats_apart;
  out.lists_apart = lists_apart;
  out.seed = plan_.seed;
  if (kubelet.join) {
    out.bootstrap = has_run_out(kubelet, node);
    out.rotate = kubelet.join->rotate;
    out.certificate = controllers_.certificate_of(node);
  }
  return std::make_shared<const KubeletOptions>(std::move(out));
}

FakeKubelet::Identity SimulatedCluster::identity_of(const Node& node, const Plan::Kubelet& kubelet) {
  auto& traits = traits_[kubelet.version];
  if (!traits) traits = KubeletTraitsTable::built_in().at(kubelet.version).value();
  return {node.name, traits, kubelet_options(kubelet, node.name)};
}

Result<void> SimulatedCluster::make_token(const Plan::BootstrapToken& token, const std::string& where) {
  Object data = {{"token-id", base64_encode(token.id)},
                 {"token-secret", base64_encode(token_secret)},
                 {"usage-bootstrap-authentication", base64_encode("true")}};
  std::string groups;
  for (const std::string& group : token.groups) groups += (groups.empty() ? "" : ",") + group;
  if (!groups.empty()) data["auth-extra-groups"] = base64_encode(groups);
  if (token.ttl) {
    const auto end = std::chrono::floor<std::chrono::seconds>(clock_.now + *token.ttl).time_since_epoch();
    data["expiration"] = base64_encode(timestamp_of_seconds(end.count()));
  }
  return administrator_.apply({{"apiVersion", "v1"},
                               {"kind", "Secret"},
                               {"metadata", {{"name", "bootstrap-token-" + token.id}, {"namespace", "kube-system"}}},
                               {"type", "bootstrap.kubernetes.io/token"},
                               {"data", data}},
                              where);
}

std::optional<Subject> SimulatedCluster::subject_of_token(const std::string& id) {
  const std::vector<std::string> audiences = {"https://kubernetes.default.svc"};
  const BootstrapTokens tokens([this] { return clock_.now.time_since_epoch() / std::chrono::seconds(1); }, audiences);
  const FindObject find = [this](const ObjectKey& key) {
    return administrator_.find({key.resource, key.namespace_, key.name});
  };
  Authentication said = tokens.authenticate(id + "." + token_secret, audiences, find);
  if (said.subject) said.subject->groups.emplace_back("system:authenticated");
  return std::move(said.subject);
}

bool SimulatedCluster::has_run_out(const Plan::Kubelet& kubelet, const std::string& node) const {
  if (controllers_.authority_has_ended()) return true;
  if (!kubelet.join) return false;
  const auto certificate = controllers_.certificate_of(node);
  return !certificate || clock_.now >= certificate->end;
}

HttpResponse SimulatedCluster::run_out() const {
  return unauthorized(controllers_.authority_has_ended() ? "the client CA has expired"
                                                         : "the client certificate has expired");
}

HttpResponse SimulatedCluster::answer_kubelet(const Caller& caller, KubeletCredential as, const HttpRequest& request) {
  const Plan::Kubelet& kubelet = *caller.kubelet;
  const bool bootstraps = as == KubeletCredential::bootstrap;
  std::optional<Subject> subject;
  if (bootstraps) {
    subject = subject_of_token(kubelet.join->token);
  } else if (!has_run_out(kubelet, caller.node)) {
    subject = subject_of(kubelet.user, kubelet.groups, caller.node);
  }
  LoadBalancer::Answer answer;
  if (subject) {
    answer = balancer_.handle(caller.client, *subject, request);
  } else {
    answer.kind = balancer_.kind_for(caller.client);
    answer.response = bootstraps ? unauthorized("the bootstrap token has expired, or is not there") : run_out();
  }
  ledger_.note(caller.client, request, answer.response, clock_.since_begin(), {answer.kind, 0});
  hear(caller.node, request, answer.response);
  if (makes_signing_request(request, answer.response)) look_at_signing_requests(clock_.now + first_look);
  return std::move(answer.response);
}

std::unique_ptr<KubeletLine> SimulatedCluster::line_of(const Node& node, const Plan::Kubelet& kubelet) {
  const Caller caller{node.name, node.client, std::make_shared<const Plan::Kubelet>(kubelet)};
  PlannedLine::Options options;
  options.answering = [this, caller](KubeletCredential as, const HttpRequest& request) {
    return answer_kubelet(caller, as, request);
  };
  options.certificate_end = [this, name = node.name]() -> std::optional<KubeletTime> {
    const auto certificate = controllers_.certificate_of(name);
    return certificate ? std::optional(certificate->end) : std::nullopt;
  };
  options.streams = servers_.streams();
  options.seed = plan_.seed;
  return std::make_unique<PlannedLine>(std::move(options));
}

void SimulatedCluster::look_at_signing_requests(KubeletTime at) {
  if (next_look_ && *next_look_ <= at) return;
  next_look_ = at;
  plan_event(at, [this, at] {
    if (next_look_ != at) return;
    next_look_.reset();
    if (controllers_.act()) look_at_signing_requests(clock_.now + looks_apart);
  });
}

void SimulatedCluster::note_judgement(const std::string& node, const HttpRequest& asked, const HttpResponse& answer) {
  const auto found = places_.find(node);
  if (found == places_.end()) return;
  const auto [pool, place] = found->second;
  ledger_.note(nodes_[pool][place].client, asked, answer, clock_.since_begin(),
               {balancer_.kind_for_administrator(), 0});
}

void SimulatedCluster::restart_after(const std::string& node, const CertificateTime& of) {
  plan_event(of.end + exits_after, [this, node, end = of.end] {
    const auto certificate = controllers_.certificate_of(node);
    const auto found = places_.find(node);
    if (!certificate || certificate->end != end || found == places_.end()) return;
    const auto [pool, place] = found->second;
    if (nodes_[pool][place].name == node) replace(pool, place, Plan::Kubelet(kubelet_now_[pool][place]));
  });
}

}  // namespace nodebound
