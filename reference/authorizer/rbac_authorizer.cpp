#include "reference/authorizer/rbac_authorizer.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "reference/authorizer/policy.h"

namespace nodebound {
namespace {

using Kind = RbacObjects::BindingSubject::Kind;

std::string described(const RbacObjects::Binding& binding, const RbacObjects::BindingSubject& subject) {
  const auto in_namespace = [](std::string name, const std::string& namespace_) {
    return namespace_.empty() ? name : name += "/" + namespace_;
  };
  std::string out;
  constexpr std::size_t fixed_words = 80;
  out.reserve(fixed_words + binding.name.size() + binding.namespace_.size() + binding.role.size() +
              subject.name.size() + subject.namespace_.size());
  out += "RBAC: allowed by ";
  out += binding.namespace_.empty() ? "ClusterRoleBinding " : "RoleBinding ";
  append_go_quoted(out, in_namespace(binding.name, binding.namespace_));
  out += binding.to_cluster_role ? " of ClusterRole " : " of Role ";
  append_go_quoted(out, binding.role);
  switch (subject.kind) {
    case Kind::user:
      out += " to User ";
      append_go_quoted(out, subject.name);
      break;
    case Kind::group:
      out += " to Group ";
      append_go_quoted(out, subject.name);
      break;
    case Kind::service_account:
      out += " to ServiceAccount ";
      append_go_quoted(out, in_namespace(subject.name, subject.namespace_));
      break;
  }
  return out;
}

// Without a namespace it is nobody.
bool is_service_account(std::string_view user, const RbacObjects::BindingSubject& account) {
  constexpr std::string_view prefix = "system:serviceaccount:";
  const std::string& namespace_ = account.namespace_;
  return !namespace_.empty() && user.size() == prefix.size() + namespace_.size() + 1 + account.name.size() &&
         user.starts_with(prefix) && user.substr(prefix.size()).starts_with(namespace_) &&
         user[prefix.size() + namespace_.size()] == ':' && user.ends_with(account.name);
}

// As a lister says it.
std::string not_found(const RbacObjects::Binding& binding) {
  return (binding.to_cluster_role ? "clusterrole" : "role") +
         (".rbac.authorization.k8s.io " + go_quoted(binding.role)) + " not found";
}

Rule rule_of_missing(const RbacObjects::Binding& binding) {
  return binding.to_cluster_role ? Rule::rbac_missing_role : Rule::rbac_missing_namespaced_role;
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
            return is_service_account(subject.name, own);
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
  RbacObjects::BindingsOf bindings(objects_, subject.name, subject.groups);
  const auto visit_those_of = [&](std::string_view in) {
    bindings.start(in);
    while (const RbacObjects::Binding* binding = bindings.next()) {
      if (!visit_if_bound(*binding)) return false;
    }
    return true;
  };
  if (visit_those_of({}) && !namespace_.empty()) visit_those_of(namespace_);
}

const std::vector<PolicyRule>* RbacAuthorizer::role_of(const RbacObjects::Binding& binding) const {
  return objects_.role(binding.to_cluster_role ? std::string_view() : binding.namespace_, binding.role);
}

Decision RbacAuthorizer::authorize(const Subject& subject, const Attributes& attributes) const {
  std::vector<std::string> errors;
  Rule missing = Rule::rbac_missing_role;
  std::optional<Decision> allowed;
  each_binding(subject, attributes.namespace_, [&](const auto& binding, const auto& as) {
    const std::vector<PolicyRule>* const role = role_of(binding);
    if (role == nullptr) {
      missing = rule_of_missing(binding);
      if (!rules_.in_force(missing)) {
        allowed = Decision::allow(missing);
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
  return Decision::no_opinion(missing, "RBAC: " + go_aggregate(errors));
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
