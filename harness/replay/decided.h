#pragma once

#include <optional>
#include <set>
#include <string>

#include "harness/replay/audit_event.h"
#include "reference/admission/pod_placement.h"
#include "reference/authorizer/authorizer.h"
#include "reference/cluster/cluster.h"
#include "reference/release/rule_set.h"

namespace nodebound::replay {

/// What the reference decides about a logged request at one release.
struct Decided {
  enum class Admission {
    not_asked,  ///< a read, a connection, or no authorizer allows it
    admitted,
    refused,
    no_body,    ///< the log does not have what was written
    no_object,  ///< nor the cluster what it was written over
    unclear,    ///< a patch whose type is not logged, or a body of another shape than the API's
  };

  bool authorized = false;
  Admission admission = Admission::not_asked;
  Rule rule = Rule::node_rules_only;  ///< that decided
  std::string by;                     ///< `node`, `rbac`, or the admission plugin; empty if no authorizer allows it

  [[nodiscard]] bool allowed() const { return authorized && admission != Admission::refused; }
  [[nodiscard]] bool admission_known() const { return admission <= Admission::refused; }
  bool operator==(const Decided&) const = default;
};

/// Admission plugins that are off unless somebody turns them on.
struct AddedPlugins {
  std::set<std::string> names = {};
  PlacementSettings placement = {};

  bool operator==(const AddedPlugins&) const = default;
};

/// How API servers are started, as far as a question can change it. Bindings of ClusterRole system:node are objects:
/// ReplayedCluster leaves them out.
struct ServerSetting {
  bool node_authorizer = true;
  bool node_restriction = true;
  bool node_role_bound = true;
  AddedPlugins added = {};

  bool operator==(const ServerSetting&) const = default;
};

Decided decide(const RuleSet& rules, const Cluster& cluster, const ServerSetting& setting,
               const LoggedRequest& request);

}  // namespace nodebound::replay
