#include "reference/authorizer/rbac_authorizer.h"

#include <algorithm>
#include <optional>
#include <utility>

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

// As a lister says it.
std::string not_found(const RbacObjects::Binding& binding) {
  return (binding.to_cluster_role ? "clusterrole" : "role") +
         (".rbac.authorization.k8s.io " + go_quoted(binding.role)) + " not found";
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

template <typename Visit>
void RbacAuthorizer::each_binding(const Subject& subject, const std::string& namespace_, Visit visit) const {
  const auto visit_if_bound = [&](const RbacObjects::Binding& binding) {
    const RbacObjects::BindingSubject* const as = bound_as(binding, subject);
    return as == nullptr || visit(binding, *as);
  };
  if (!rules_.in_force(Rule::rbac_namespace)) {
    for (const auto& [key, binding] : objects_.bindings()) {
      if (!visit_if_bound(*binding)) return;
    }
    return;
  }
  const auto visit_those_of = [&](const std::string& in) {
    RbacObjects::BindingsOf bindings(objects_, in, subject.name, subject.groups);
    while (const RbacObjects::Binding* binding = bindings.next()) {
      if (!visit_if_bound(*binding)) return false;
    }
    return true;
  };
  static const std::string whole_cluster;
  if (visit_those_of(whole_cluster) && !namespace_.empty()) visit_those_of(namespace_);
}

const std::vector<PolicyRule>* RbacAuthorizer::role_of(const RbacObjects::Binding& binding) const {
  static const std::string whole_cluster;
  return objects_.role(binding.to_cluster_role ? whole_cluster : binding.namespace_, binding.role);
}

Decision RbacAuthorizer::authorize(const Subject& subject, const Attributes& attributes) const {
  std::vector<std::string> errors;
  std::optional<Decision> allowed;
  each_binding(subject, attributes.namespace_, [&](const auto& binding, const auto& as) {
    const std::vector<PolicyRule>* const role = role_of(binding);
    if (role == nullptr) {
      if (binding.to_cluster_role && !rules_.in_force(Rule::rbac_missing_role)) {
        allowed = Decision::allow(Rule::rbac_missing_role);
      } else {
        errors.push_back(not_found(binding));
      }
    } else if (std::any_of(role->begin(), role->end(),
                           [&](const PolicyRule& rule) { return covers(rules_, rule, attributes); })) {
      allowed = Decision::allow(rule_of(as.kind), described(binding, as));
    }
    return !allowed;
  });
  if (allowed) return *std::move(allowed);
  if (errors.empty()) return Decision::no_opinion(Rule::rbac_resource);
  return Decision::no_opinion(Rule::rbac_missing_role, "RBAC: " + go_aggregate(errors));
}

RbacAuthorizer::Held RbacAuthorizer::held_by(const Subject& subject, const std::string& namespace_) const {
  Held out;
  each_binding(subject, namespace_, [&](const auto& binding, const auto&) {
    const std::vector<PolicyRule>* const role = role_of(binding);
    if (role == nullptr) {
      out.unresolved.push_back(&binding);
    } else {
      out.rules.insert(out.rules.end(), role->begin(), role->end());
    }
    return true;
  });
  return out;
}

SubjectRules RbacAuthorizer::rules_for(const Subject& subject, const std::string& namespace_) const {
  Held held = held_by(subject, namespace_);
  SubjectRules out;
  out.rules = std::move(held.rules);
  for (const RbacObjects::Binding* binding : held.unresolved) out.errors.push_back(not_found(*binding));
  return out;
}

}  // namespace nodebound
