#pragma once

#include <compare>
#include <set>
#include <string>
#include <vector>

#include "harness/endpoint/cluster_endpoint.h"
#include "harness/endpoint/endpoint.h"
#include "harness/scenario/scenario.h"
#include "reference/result.h"

namespace nodebound::guest {

/// Something that RBAC can allow.
struct Right {
  std::string verb;
  std::string group;
  std::string resource;   ///< with its subresource: `pods/binding`; empty for a path
  std::string name = {};  ///< of the only object; empty for all
  std::string path = {};  ///< a path that is no resource: `/version`

  auto operator<=>(const Right&) const = default;

  /// `create pods/binding`, `get /version`
  [[nodiscard]] std::string text() const;
};

using Rights = std::set<Right>;

/// What every run needs, with any scenarios.
Rights rights_of_run(IdentityMode identity, bool read_only);

/// What the administrator additionally needs for a scenario, at the release for which it was read. Excludes the rights
/// to let somebody past the authorizers: see rights_to_widen().
Rights rights_of(const Scenario& scenario, IdentityMode identity);

/// Needed to test admission alone, with a user to whom RBAC grants everything.
Rights rights_to_widen();

/// For `--target kubelet:URL --kubelet-cluster`.
Rights rights_of_kubelet_run(IdentityMode identity);

/// The rights that the target's administrator lacks, by its SelfSubjectAccessReviews.
Result<Rights> missing(Endpoint& endpoint, const Rights& rights);

/// The `rules` of a ClusterRole that grants exactly these rights.
Object to_policy_rules(const Rights& rights);

/// That ClusterRole, in the form that `kubectl apply` takes.
std::string to_cluster_role(const Rights& rights, const std::string& name);

}  // namespace nodebound::guest
