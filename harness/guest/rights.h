#pragma once

#include <compare>
#include <set>
#include <string>
#include <vector>

#include "harness/endpoint/cluster_endpoint.h"
#include "harness/endpoint/endpoint.h"
#include "harness/scenario/scenario.h"
#include "reference/result.h"

namespace nodebound {

/// Something that RBAC may allow.
struct Right {
  std::string verb;
  std::string group;
  std::string resource;   ///< with its subresource: `pods/binding`; empty for a path
  std::string name = {};  ///< of the only object; empty for all
  std::string path = {};  ///< of no resource: `/version`

  auto operator<=>(const Right&) const = default;

  /// `create pods/binding`, `get /version`
  [[nodiscard]] std::string text() const;
};

using Rights = std::set<Right>;

/// What every run needs, whichever scenarios it has.
Rights rights_of_run(IdentityMode identity, bool read_only);

/// What the administrator needs for a scenario beyond that, at the release that it was read for. Letting somebody past
/// the authorizers is rights_to_widen() and no part of it.
Rights rights_of(const Scenario& scenario, IdentityMode identity);

/// To have admission met alone by a user whom RBAC lets do everything.
Rights rights_to_widen();

/// For `--target kubelet:URL --kubelet-cluster`.
Rights rights_of_kubelet_run(IdentityMode identity);

/// Those among them that the target's administrator lacks, as its SelfSubjectAccessReviews say.
Result<Rights> missing(Endpoint& endpoint, const Rights& rights);

/// The `rules` of a ClusterRole that grants them and nothing else.
Object to_policy_rules(const Rights& rights);

/// That ClusterRole, as kubectl applies it.
std::string to_cluster_role(const Rights& rights, const std::string& name);

}  // namespace nodebound
