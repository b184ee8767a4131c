#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference/cluster/rbac_objects.h"
#include "reference/identity/subject.h"
#include "reference/release/rule_set.h"

namespace nodebound {

/// Nobody grants by a role or a binding what they do not hold (pkg/registry/rbac/validation/rule.go).
class RoleEscalation {
 public:
  /// `objects` as they are stored now; they and `rules` must outlive it.
  RoleEscalation(const RuleSet& rules, const RbacObjects& objects) : rules_(rules), objects_(objects) {}

  struct Grant {
    std::string namespace_;         ///< empty: everywhere
    std::string_view resource;      ///< what is written: roles, clusterrolebindings, …
    std::vector<PolicyRule> rules;  ///< the permissions that it grants
  };

  /// Why the subject may not grant this, in the release's words; nothing if it holds all of it by RBAC.
  [[nodiscard]] std::optional<std::string> refused(const Subject& subject, const Grant& grant) const;

  /// Whether the subject may do everything, by RBAC.
  [[nodiscard]] bool holds_everything(const Subject& subject, const std::string& namespace_) const;

 private:
  const RuleSet& rules_;
  const RbacObjects& objects_;
};

/// What no rule of `held` covers of `granted`, in parts of one verb on one resource or URL each (component-helpers'
/// auth/rbac/validation/policy_comparator.go).
std::vector<PolicyRule> permissions_missing(const std::vector<PolicyRule>& held,
                                            const std::vector<PolicyRule>& granted);

}  // namespace nodebound
