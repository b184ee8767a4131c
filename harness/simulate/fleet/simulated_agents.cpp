#include "harness/scenario/substitute.h"
#include "harness/simulate/fleet/planned_tokens.h"
#include "harness/simulate/plan/planned_subject.h"
#include "harness/simulate/simulated_cluster.h"
#include "reference/identity/bearer_token.h"

namespace nodebound {
namespace {

// How long a token is valid from when it is shown: agents re-read theirs, as client-go does, so it never expires.
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
  const auto own = std::make_shared<AgentClient>(client);
  const auto run = [this, &agent, own, pool, number] {
    const bool of_node = agent.user.empty();
    const std::string name = agent.pools.empty() ? "" : nodes_[pool][number].name;
    const Plan::Kubelet* kubelet = of_node ? &kubelet_now_[pool][number] : nullptr;
    const Subject subject =
        subject_of(of_node ? kubelet->user : agent.user, of_node ? kubelet->groups : agent.groups, name);
    // An agent with its node's certificate is affected when that expires.
    const bool ended = of_node ? has_run_out(*kubelet, name) : token_has_ended(agent);
    ask(agent, ended ? std::nullopt : std::optional(subject), name, *own);
    if (!agent.kubelet_requests.empty()) ask_kubelet(agent, subject, {pool, number}, own->number);
  };
  // Each agent schedules its own next turn.
  auto again = std::make_shared<std::function<void()>>();
  *again = [this, &agent, run, weak = std::weak_ptr(again)] {
    run();
    if (const auto next = weak.lock()) plan_event(clock_.now + agent.every, [next] { (*next)(); });
  };
  plan_event(clock_.begin, [again] { (*again)(); });
}

// `{uid shop/pods/web}`: only a read of the object tells its UID.
std::string SimulatedCluster::with_uids(const std::string& text) {
  constexpr std::string_view prefix = "uid ";
  return substitute(text, [&](std::string_view name) -> std::optional<std::string> {
    if (!name.starts_with(prefix)) return std::nullopt;
    const ObjectPath path = split_path(name.substr(prefix.size()));
    return administrator_.uid_of(path);
  });
}

void SimulatedCluster::prepare(const Plan::Agent& agent, const std::string& node, AgentClient& client) {
  const std::optional<std::uint64_t> changes = balancer_.changes();
  if (client.prepared_for == node && (!client.has_uids || (changes && client.prepared_at == changes))) return;
  client.prepared_for = node;
  client.prepared_at = changes;
  client.requests = agent.requests;
  client.has_uids = false;
  for (HttpRequest& request : client.requests) {
    for (std::string* text : {&request.target, &request.body}) {
      client.has_uids = client.has_uids || text->find("{uid ") != std::string::npos;
      *text = with_uids(filled_in(*text, node));
    }
  }
}

// Agents with the same credentials and the same read get the same answer until something changes.
SimulatedCluster::AgentAnswer SimulatedCluster::answer_to(std::size_t client, const Subject& subject,
                                                          const HttpRequest& request) {
  const auto asked = [&] {
    LoadBalancer::Answer answer = balancer_.handle(client, subject, request);
    answer.response.stream.reset();
    if (answer.response.status < 300) answer.response.body.clear();
    return AgentAnswer{answer.kind, subject, std::make_shared<const HttpResponse>(std::move(answer.response))};
  };
  const std::optional<std::uint64_t> changes = balancer_.changes();
  if (!changes || request.method != "GET") return asked();
  if (answers_at_ != changes) answers_.clear();
  answers_at_ = changes;
  const std::size_t kind = balancer_.kind_for(client);
  const std::string key = std::to_string(kind) + "\n" + subject.name + "\n" + request.target;
  const auto found = answers_.find(key);
  if (found != answers_.end() && found->second.subject == subject) return found->second;
  return answers_[key] = asked();
}

void SimulatedCluster::ask(const Plan::Agent& agent, const std::optional<Subject>& subject, const std::string& node,
                           AgentClient& client) {
  const std::size_t number = client.number;
  prepare(agent, node, client);
  for (std::size_t place = 0; place < client.requests.size(); ++place) {
    const HttpRequest& request = client.requests[place];
    if (!subject) {
      const HttpResponse ended = agent.user.empty() ? run_out() : unauthorized("the token has expired");
      ledger_.note(number, request, ended, clock_.since_begin(), {balancer_.kind_for(number), place});
      continue;
    }
    const AgentAnswer answer = answer_to(number, *subject, request);
    ledger_.note(number, request, *answer.response, clock_.since_begin(), {answer.kind, place});
  }
}

void SimulatedCluster::ask_kubelet(const Plan::Agent& agent, const Subject& caller, const Place& place,
                                   std::size_t client) {
  const auto [pool, number] = place;
  // A kubelet that has exited does not answer.
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
