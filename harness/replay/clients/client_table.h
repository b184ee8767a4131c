#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "harness/replay/audit_event.h"
#include "reference/cluster/cluster.h"
#include "reference/release/rule_set.h"
#include "reports/findings/finding.h"

namespace nodebound::replay {

/// What a client asks for, as a role can grant it.
struct AskedRight {
  std::string verb;
  std::string group;
  std::string resource;    ///< with its subresource
  std::string namespace_;  ///< empty: in all of them, or in none
  std::string path;        ///< instead of a resource

  auto operator<=>(const AskedRight&) const = default;
};

/// A program that asks with the credentials of nodes, and what it was allowed.
struct AgentOfNodes {
  std::string user_agent;
  std::set<AskedRight> rights;
  /// As plans have them: `GET /api/v1/nodes/{node}`, with `{node}` for the name of the node that asks. Reads, and of
  /// writes the labels of Nodes, without their values.
  std::set<std::string> requests;
  bool more_rights = false;  ///< there are more of them than are kept
};

/// Finds clients that an upgrade concerns, whether or not it refuses them something: agents on the credentials of
/// nodes, kubelets that are no nodes, nodes outside system:nodes, users of nodes/proxy. In memory that does not grow
/// with the log.
class ClientTable {
 public:
  ClientTable(const RuleSet& rules, std::string pool_label) : rules_(rules), pool_label_(std::move(pool_label)) {}

  void add(const LoggedRequest& request, const Cluster& cluster);

  /// The most frequent of each sort first.
  [[nodiscard]] std::vector<Finding> findings() const;
  [[nodiscard]] std::vector<AgentOfNodes> agents() const;

 private:
  static constexpr std::size_t most_clients = 2000;
  static constexpr std::size_t most_requests = 40;
  static constexpr std::size_t most_rights = 400;
  static constexpr std::size_t most_asked = 60;

  enum class Sort { kubelet_no_node, node_outside_group, agent_as_node, nodes_proxy };
  using Key = std::tuple<Sort, std::string, std::string>;  ///< user agent; whom it asks as, or the pool
  struct Client {
    std::set<std::string> requests;
    std::size_t count = 0;
    LoggedRequest::Micros first = 0;
    LoggedRequest::Micros last = 0;
    std::string where;
  };

  [[nodiscard]] static Finding described(const Key& key, const Client& client);
  void note(Sort sort, const std::string& as, const LoggedRequest& request);
  void note_rights(const LoggedRequest& request);

  const RuleSet& rules_;
  std::string pool_label_;
  std::map<Key, Client> clients_;
  std::map<std::string, AgentOfNodes> agents_;
};

/// Whether the log says that authorizers and admission allowed it, though the object may have been missing.
bool was_allowed(const LoggedRequest& request);

/// Whether the request is by a kubelet that is a node and does not say so, and not by one that is only joining.
bool is_kubelet_without_name(const RuleSet& rules, const LoggedRequest& request);

/// Whether the request is by a program other than a kubelet, with the credentials of a node.
bool is_agent_as_node(const RuleSet& rules, const LoggedRequest& request);

}  // namespace nodebound::replay
