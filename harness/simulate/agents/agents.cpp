#include "harness/simulate/agents/agents.h"

#include "harness/simulate/control_plane/planned_tokens.h"
#include "harness/simulate/plan/planned_subject.h"
#include "reference/identity/bearer_token.h"

namespace nodebound::simulate {
namespace {

// How long a token is valid from when it is shown: agents re-read theirs, as client-go does, so it never expires.
constexpr std::chrono::hours token_lasts{1};

// They refer to `authorization`.
KubeletCredentials shown_by(const Subject& subject, const std::string& authorization, bool expired) {
  KubeletCredentials out;
  out.authorization = authorization;
  if (!authorization.empty() || subject.name == anonymous_subject().name) return out;
  out.bad_certificate = expired;
  if (!expired) out.certificate = subject;
  return out;
}

}  // namespace

Agents::Agents(const Plan& plan, SimulatedControlPlane& control_plane, SimulatedFleet& fleet, EventQueue& events,
               RefusalLedger& ledger, const Catalogue& catalogue)
    : plan_(plan),
      control_plane_(control_plane),
      fleet_(fleet),
      events_(events),
      clock_(events.clock()),
      ledger_(ledger),
      answers_(control_plane.balancer()),
      kubelet_apis_(fleet, catalogue, clock_) {}

void Agents::start() {
  for (const Plan::Agent& agent : plan_.agents) {
    if (agent.pools.empty()) start(agent, std::nullopt);
    for (const std::size_t pool : agent.pools) {
      for (std::size_t i = 0; i < fleet_.nodes().pools()[pool].size(); ++i) start(agent, NodePlace{pool, i});
    }
  }
}

void Agents::start(const Plan::Agent& agent, std::optional<NodePlace> place) {
  const std::string node = place ? fleet_.nodes()[*place].name : "";
  const std::size_t number = ledger_.add_client("agent " + agent.name, node, place ? fleet_.weight_of(node) : 1);
  clients_.push_back(
      std::make_unique<Client>(Client{agent, place, number, AgentRequests(agent, control_plane_.administrator())}));
  events_.repeat(clock_.begin, agent.every, [this, &client = *clients_.back()]() -> Result<void> {
    act(client);
    return {};
  });
}

void Agents::act(Client& client) {
  const std::string node = client.place ? fleet_.nodes()[*client.place].name : "";
  const Subject subject = subject_of_client(client, node);
  ask_servers(client, has_expired(client) ? std::nullopt : std::optional(subject), node);
  if (!client.agent.kubelet_requests.empty()) ask_kubelet(client, subject);
}

Subject Agents::subject_of_client(const Client& client, const std::string& node) const {
  const Plan::Agent& agent = client.agent;
  if (!agent.user.empty()) return subject_of(agent.user, agent.groups, node);
  const Plan::Kubelet& kubelet = fleet_.nodes()[*client.place].kubelet;
  return subject_of(kubelet.user, kubelet.groups, node);
}

bool Agents::has_expired(const Client& client) const {
  if (!client.agent.user.empty()) return token_has_expired(client.agent);
  return fleet_.connections().has_expired(fleet_.nodes()[*client.place]);
}

bool Agents::token_has_expired(const Plan::Agent& agent) const {
  return agent.token_lasts && clock_.since_begin() >= *agent.token_lasts;
}

void Agents::ask_servers(Client& client, const std::optional<Subject>& subject, const std::string& node) {
  const LoadBalancer& balancer = control_plane_.balancer();
  const std::vector<HttpRequest>& requests = client.requests.for_node(node, balancer.changes());
  for (std::size_t place = 0; place < requests.size(); ++place) {
    const HttpRequest& request = requests[place];
    if (!subject) {
      const bool of_node = client.agent.user.empty();
      const HttpResponse expired = of_node ? fleet_.connections().expired() : unauthorized("the token has expired");
      ledger_.note(client.number, request, expired, clock_.since_begin(), {balancer.kind_for(client.number), place});
      continue;
    }
    const RememberedAnswers::Answer answer = answers_.answer(client.number, *subject, request);
    ledger_.note(client.number, request, *answer.response, clock_.since_begin(), {answer.kind, place});
  }
}

std::string Agents::authorization_for_kubelet(const Plan::Agent& agent, const Subject& subject) const {
  const bool has_token = control_plane_.servers().knows_tokens() && subject.name.starts_with("system:serviceaccount:");
  if (!has_token) return {};
  return "Bearer " +
         planned_token(subject, agent.token_lasts ? clock_.begin + *agent.token_lasts : clock_.now + token_lasts);
}

void Agents::ask_kubelet(const Client& client, const Subject& subject) {
  const SimulatedNode& node = fleet_.nodes()[*client.place];
  // A kubelet that has exited does not answer.
  if (!fleet_.kubelet_of(node).labels_verdict().exit.empty()) return;
  const std::string authorization = authorization_for_kubelet(client.agent, subject);
  const KubeletCredentials credentials = shown_by(subject, authorization, token_has_expired(client.agent));
  PlannedKubeletApi& api = kubelet_apis_.of(*client.place);
  for (std::size_t i = 0; i < client.agent.kubelet_requests.size(); ++i) {
    HttpRequest request = client.agent.kubelet_requests[i];
    request.target = filled_in(request.target, node.name);
    const HttpResponse answer = api.handle(request, credentials);
    const RefusalLedger::Origin from{0, client.agent.requests.size() + i,
                                     KubeletKind{node.kubelet.version, node.kubelet.gates}};
    ledger_.note(client.number, request, answer, clock_.since_begin(), from);
  }
}

}  // namespace nodebound::simulate
