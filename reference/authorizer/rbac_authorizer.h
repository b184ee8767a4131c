#pragma once

#include "reference/authorizer/authorizer.h"
#include "reference/cluster/rbac_objects.h"

namespace nodebound {

/// Role-based access control (plugin/pkg/auth/authorizer/rbac/rbac.go): first the ClusterRoleBindings, then the
/// RoleBindings of the request's namespace; the first rule that covers the request allows it. It never denies.
class RbacAuthorizer final : public Authorizer {
 public:
  /// Both must outlive the authorizer.
  RbacAuthorizer(const RuleSet& rules, const RbacObjects& objects) : rules_(rules), objects_(objects) {}

  [[nodiscard]] std::string_view name() const override { return "rbac"; }
  [[nodiscard]] Decision authorize(const Subject& subject, const Attributes& attributes) const override;

  /// The errors are about roles that do not exist.
  [[nodiscard]] SubjectRules rules_for(const Subject& subject, const std::string& namespace_) const override;

 private:
  [[nodiscard]] const RbacObjects::BindingSubject* bound_as(const RbacObjects::Binding& binding,
                                                            const Subject& subject) const;

  const RuleSet& rules_;
  const RbacObjects& objects_;
};

}  // namespace nodebound
