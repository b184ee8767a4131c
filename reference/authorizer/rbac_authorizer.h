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

  /// All that a subject holds in a namespace and cluster-wide, and the roles that it is bound to and that do not exist.
  struct Held {
    std::vector<PolicyRule> rules;
    std::vector<const RbacObjects::Binding*> unresolved;
  };
  [[nodiscard]] Held held_by(const Subject& subject, const std::string& namespace_) const;

 private:
  /// Visits the bindings that name the subject and count in the namespace, with the subject as which it is named, until
  /// told false.
  template <typename Visit>
  void each_binding(const Subject& subject, const std::string& namespace_, Visit visit) const;
  /// Null if it does not exist.
  [[nodiscard]] const std::vector<PolicyRule>* role_of(const RbacObjects::Binding& binding) const;
  [[nodiscard]] const RbacObjects::BindingSubject* bound_as(const RbacObjects::Binding& binding,
                                                            const Subject& subject) const;

  const RuleSet& rules_;
  const RbacObjects& objects_;
};

}  // namespace nodebound
