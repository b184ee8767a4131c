#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/simulate/control_plane/cluster_administrator.h"
#include "harness/simulate/plan/plan.h"

namespace nodebound::simulate {

/// The requests of one agent to API servers, with the placeholders of the plan replaced.
class AgentRequests {
 public:
  AgentRequests(const Plan::Agent& agent, ClusterAdministrator& administrator)
      : agent_(agent), administrator_(administrator) {}

  /// `changes` is the balancer's count of changes: it tells whether a UID may be another one by now.
  const std::vector<HttpRequest>& for_node(const std::string& node, std::optional<std::uint64_t> changes);

 private:
  std::string with_uids(const std::string& text);

  const Plan::Agent& agent_;
  ClusterAdministrator& administrator_;
  std::optional<std::string> node_;
  std::optional<std::uint64_t> changes_;
  bool has_uids_ = false;
  std::vector<HttpRequest> requests_;
};

}  // namespace nodebound::simulate
