#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/simulate/agents/agent_requests.h"
#include "harness/simulate/agents/kubelet_apis.h"
#include "harness/simulate/agents/remembered_answers.h"
#include "harness/simulate/fleet/simulated_fleet.h"

namespace nodebound::simulate {

/// The agents of a plan, each of which repeats its requests; the ledger records the answers.
class Agents {
 public:
  Agents(const Plan& plan, SimulatedControlPlane& control_plane, SimulatedFleet& fleet, EventQueue& events,
         RefusalLedger& ledger, const Catalogue& catalogue);

  /// They ask for the first time when the plan begins.
  void start();

 private:
  /// One agent: on a node, or for the cluster.
  struct Client {
    const Plan::Agent& agent;
    std::optional<NodePlace> place;
    std::size_t number = 0;  ///< in the ledger
    AgentRequests requests;
  };

  void start(const Plan::Agent& agent, std::optional<NodePlace> place);
  void act(Client& client);
  /// With its node's certificate, or with its own user and groups. Both end in time.
  [[nodiscard]] Subject subject_of_client(const Client& client, const std::string& node) const;
  [[nodiscard]] bool has_expired(const Client& client) const;
  [[nodiscard]] bool token_has_expired(const Plan::Agent& agent) const;
  /// `subject` is empty if the credentials have expired.
  void ask_servers(Client& client, const std::optional<Subject>& subject, const std::string& node);
  void ask_kubelet(const Client& client, const Subject& subject);
  /// Empty if it shows a client certificate, or nothing.
  [[nodiscard]] std::string authorization_for_kubelet(const Plan::Agent& agent, const Subject& subject) const;

  const Plan& plan_;
  SimulatedControlPlane& control_plane_;
  SimulatedFleet& fleet_;
  EventQueue& events_;
  const SimulatedClock& clock_;
  RefusalLedger& ledger_;
  RememberedAnswers answers_;
  KubeletApis kubelet_apis_;
  std::vector<std::unique_ptr<Client>> clients_;
};

}  // namespace nodebound::simulate
