#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "harness/endpoint/endpoint.h"
#include "harness/scenario/scenario.h"

namespace nodebound::guest {

/// Workloads on a cluster that no run made: pods outside of kube-system, and Nodes.
struct OthersThere {
  std::size_t nodes = 0;
  std::size_t pods = 0;
  std::string example;    ///< one of them
  std::string not_known;  ///< why it could not be observed; empty if it could
  bool more = false;      ///< there are more than were counted

  [[nodiscard]] bool any() const { return nodes > 0 || pods > 0 || !not_known.empty(); }
  /// `12 Nodes and 340 pods outside of kube-system (shop/web among them)`
  [[nodiscard]] std::string text() const;
};

OthersThere others_at(Endpoint& endpoint);

/// How many objects of each resource the scenarios make, at the release for which they were read.
std::map<std::string, std::size_t> made_by(const std::vector<Scenario>& scenarios, bool widens);

/// `3 clusterrolebindings, 24 nodes, 40 pods`
std::string in_words(const std::map<std::string, std::size_t>& made);

}  // namespace nodebound::guest
