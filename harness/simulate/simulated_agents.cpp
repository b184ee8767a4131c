#include "harness/scenario/substitute.h"
#include "harness/simulate/planned_subject.h"
#include "harness/simulate/planned_tokens.h"
#include "harness/simulate/simulated_cluster.h"
#include "reference/identity/bearer_token.h"

namespace nodebound {
namespace {

// Good for as long as the plan lasts: agents read their tokens anew, as client-go does.
constexpr std::chrono::hours token_lasts{1};

KubeletCredentials shown_by(const Subject& caller, const std::string& authorization, bool ended) {
  KubeletCredentials out;
  out.authorization = authorization;
  if (!authorization.empty() || caller.name == anonymous_subject().name) return out;
  out.bad_certificate = ended;
  if (!ended) out.certificate = caller;
  return out;
}

}  // namespace

bool SimulatedCluster::token_has_ended(const Plan::Agent& agent) const {
  return agent.token_lasts && clock_.since_begin() >= *agent.token_lasts;
}

void SimulatedCluster::start_agent(const Plan::Agent& agent, const std::string& node, std::size_t pool,
                                   std::size_t number) {
  const std::size_t client = ledger_.add_client("agent " + agent.name, node, node.empty() ? 1 : weight_of(node));
  const auto run = [this, &agent, pool, number, client] {
    const std::string name = agent.pools.empty() ? "" : nodes_[pool][number].name;
    const bool own = !agent.user.empty();
    const Plan::Kubelet& kubelet = own ? Plan::Kubelet() : kubelet_now_[pool][number];
    const Subject subject = subject_of(own ? agent.user : kubelet.user, own ? agent.groups : kubelet.groups, name);
    // With the certificate of its node it goes as far as that does.
    const bool ended = own ? token_has_ended(agent) : has_run_out(kubelet, name);
    ask(agent, ended ? std::nullopt : std::optional(subject), name, client);
    if (!agent.kubelet_requests.empty()) ask_kubelet(agent, subject, {pool, number}, client);
  };
  // Each plans its next turn itself.
  auto again = std::make_shared<std::function<void()>>();
  *again = [this, &agent, run, weak = std::weak_ptr(again)] {
    run();
    if (const auto next = weak.lock()) plan_event(clock_.now + agent.every, [next] { (*next)(); });
  };
  plan_event(clock_.begin, [again] { (*again)(); });
}

// `{uid shop/pods/web}`: what only who looks at the object can know.
std::string SimulatedCluster::with_uids(const std::string& text) {
  constexpr std::string_view prefix = "uid ";
  return substitute(text, [&](std::string_view name) -> std::optional<std::string> {
    if (!name.starts_with(prefix)) return std::nullopt;
    const ObjectPath path = split_path(name.substr(prefix.size()));
    return administrator_.uid_of(path);
  });
}

void SimulatedCluster::ask(const Plan::Agent& agent, const std::optional<Subject>& subject, const std::string& node,
                           std::size_t client) {
  const HttpResponse ended = agent.user.empty() ? run_out() : unauthorized("the token has expired");
  for (std::size_t place = 0; place < agent.requests.size(); ++place) {
    HttpRequest request = agent.requests[place];
    request.target = with_uids(filled_in(request.target, node));
    request.body = with_uids(filled_in(request.body, node));
    const LoadBalancer::Answer answer =
        subject ? balancer_.handle(client, *subject, request) : LoadBalancer::Answer{ended, balancer_.kind_for(client)};
    ledger_.note(client, request, answer.response, clock_.since_begin(), {answer.kind, place});
  }
}

void SimulatedCluster::ask_kubelet(const Plan::Agent& agent, const Subject& caller, const Place& place,
                                   std::size_t client) {
  const auto [pool, number] = place;
  // A kubelet that has exited answers nobody.
  if (!kubelets_[nodes_[pool][number].kubelet].labels_verdict().exit.empty()) return;
  const KubeletTime token_end = agent.token_lasts ? clock_.begin + *agent.token_lasts : clock_.now + token_lasts;
  const bool has_token = servers_.knows_tokens() && caller.name.starts_with("system:serviceaccount:");
  const std::string authorization = has_token ? "Bearer " + planned_token(caller, token_end) : "";
  PlannedKubeletApi& api = api_of(place);
  const Plan::Kubelet& kubelet = kubelet_now_[pool][number];
  for (std::size_t i = 0; i < agent.kubelet_requests.size(); ++i) {
    HttpRequest request = agent.kubelet_requests[i];
    request.target = filled_in(request.target, nodes_[pool][number].name);
    const HttpResponse answer = api.handle(request, shown_by(caller, authorization, token_has_ended(agent)));
    const RefusalLedger::Origin from{0, agent.requests.size() + i, KubeletKind{kubelet.version, kubelet.gates}};
    ledger_.note(client, request, answer, clock_.since_begin(), from);
  }
}

PlannedKubeletApi& SimulatedCluster::api_of(const Place& place) {
  std::unique_ptr<PlannedKubeletApi>& api = apis_[place];
  if (api) return *api;
  const Node& node = nodes_[place.first][place.second];
  const Plan::Kubelet& kubelet = kubelet_now_[place.first][place.second];
  std::shared_ptr<KubeletApiRules>& rules = api_rules_[{kubelet.version, kubelet.gates, kubelet.api}];
  if (!rules) rules = std::make_shared<KubeletApiRules>(catalogue_, kubelet);
  const Caller caller{node.name, node.client, std::make_shared<const Plan::Kubelet>(kubelet)};
  const auto reviewing = [this, caller](const HttpRequest& review) {
    return answer_kubelet(caller, KubeletCredential::node, review);
  };
  api = std::make_unique<PlannedKubeletApi>(rules, node.name, reviewing, clock_);
  return *api;
}

}  // namespace nodebound
