#pragma once

#include <algorithm>
#include <string_view>

#include "harness/explain/kubelet_fleet.h"

namespace nodebound::explain {

inline constexpr const char* rbac_group = "rbac.authorization.k8s.io";
inline constexpr const char* proxy = "nodes/proxy";

inline bool has(const std::vector<std::string>& list, std::string_view text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

/// The kubelets of one release, and how to ask them.
struct FleetKubelet {
  RuleSet rules;
  KubeletSettings settings;
};

/// What a proposal depends on.
struct Fleet {
  const Catalogue& catalogue;
  const RuleSet& server;
  const GateSettings& gates;
  const std::vector<ClusterObject>& objects;
  const Cluster& cluster;  ///< of the objects
  const std::vector<FleetKubelet>& kubelets;
  const std::vector<KubeletRequest>& requests;  ///< the needed requests
  const std::vector<Need>& needs;
  const std::vector<ProxyHolder>& holders;
};

Need need_of(const KubeletRequest& request, const FleetKubelet& kubelet);

/// Requests by which one takes over a node's pods: `POST /run/ns/pod/container`.
std::vector<std::string> dangers();

/// The ClusterRole of that name among the objects, with nodes/proxy only as far as it is needed.
Result<Proposal> propose(const Fleet& fleet, const std::string& role);

}  // namespace nodebound::explain
