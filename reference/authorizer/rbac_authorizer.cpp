#include "reference/authorizer/rbac_authorizer.h"

#include <algorithm>

#include "reference/authorizer/policy.h"

namespace nodebound {
namespace {

using Kind = RbacObjects::BindingSubject::Kind;

std::string described(const RbacObjects::Binding& binding, const RbacObjects::BindingSubject& subject) {
  std::string out = "RBAC: allowed by ";
  out += binding.namespace_.empty() ? "ClusterRoleBinding " + go_quoted(binding.name)
                                    : "RoleBinding " + go_quoted(binding.name + "/" + binding.namespace_);
  out += std::string(" of ") + (binding.to_cluster_role ? "ClusterRole " : "Role ") + go_quoted(binding.role) + " to ";
  if (subject.kind == Kind::user) return out + "User " + go_quoted(subject.name);
  if (subject.kind == Kind::group) return out + "Group " + go_quoted(subject.name);
  return out + "ServiceAccount " + go_quoted(subject.name + "/" + subject.namespace_);
}

Rule rule_of(Kind kind) {
  if (kind == Kind::user) return Rule::rbac_subject_user;
  return kind == Kind::group ? Rule::rbac_subject_group : Rule::rbac_subject_service_account;
}

}  // namespace

const RbacObjects::BindingSubject* RbacAuthorizer::bound_as(const RbacObjects::Binding& binding,
                                                            const Subject& subject) const {
  const auto found =
      std::find_if(binding.subjects.begin(), binding.subjects.end(), [&](const RbacObjects::BindingSubject& own) {
        switch (own.kind) {
          case Kind::user:
            return own.name == subject.name;
          case Kind::group:
            return subject.in_group(own.name);
          case Kind::service_account:
            return !own.namespace_.empty() &&
                   subject.name == "system:serviceaccount:" + own.namespace_ + ":" + own.name;
        }
        return false;
      });
  if (found == binding.subjects.end() || !rules_.in_force(rule_of(found->kind))) return nullptr;
  return &*found;
}

Decision RbacAuthorizer::authorize(const Subject& subject, const Attributes& attributes) const {
  std::vector<std::string> errors;
  for (const auto& [key, binding] : objects_.bindings()) {
    const bool elsewhere = !binding.namespace_.empty() && binding.namespace_ != attributes.namespace_;
    if (elsewhere && rules_.in_force(Rule::rbac_namespace)) continue;
    const RbacObjects::BindingSubject* as = bound_as(binding, subject);
    if (as == nullptr) continue;
    const std::vector<PolicyRule>* role =
        objects_.role(binding.to_cluster_role ? std::string() : binding.namespace_, binding.role);
    if (role == nullptr) {
      if (binding.to_cluster_role && rules_.in_force(Rule::rbac_missing_role)) {
        errors.push_back("clusterrole.rbac.authorization.k8s.io " + go_quoted(binding.role) + " not found");
      } else if (!binding.to_cluster_role) {
        errors.push_back("role.rbac.authorization.k8s.io " + go_quoted(binding.role) + " not found");
      } else {
        return Decision::allow(Rule::rbac_missing_role);
      }
      continue;
    }
    const bool covered = std::any_of(role->begin(), role->end(),
                                     [&](const PolicyRule& rule) { return covers(rules_, rule, attributes); });
    if (covered) return Decision::allow(rule_of(as->kind), described(binding, *as));
  }
  if (errors.empty()) return Decision::no_opinion(Rule::rbac_resource);
  return Decision::no_opinion(Rule::rbac_missing_role, "RBAC: " + go_aggregate(errors));
}

SubjectRules RbacAuthorizer::rules_for(const Subject& subject, const std::string& namespace_) const {
  SubjectRules out;
  for (const auto& [key, binding] : objects_.bindings()) {
    if (!binding.namespace_.empty() && binding.namespace_ != namespace_) continue;
    if (bound_as(binding, subject) == nullptr) continue;
    const std::vector<PolicyRule>* role =
        objects_.role(binding.to_cluster_role ? std::string() : binding.namespace_, binding.role);
    if (role == nullptr) {
      out.errors.push_back((binding.to_cluster_role ? "clusterrole" : "role") +
                           (".rbac.authorization.k8s.io " + go_quoted(binding.role)) + " not found");
      continue;
    }
    out.rules.insert(out.rules.end(), role->begin(), role->end());
  }
  return out;
}

}  // namespace nodebound
