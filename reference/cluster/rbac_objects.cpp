#include "reference/cluster/rbac_objects.h"

namespace nodebound {
namespace {

std::vector<PolicyRule> rules_of(const Object& role) {
  std::vector<PolicyRule> rules;
  for (const Object& rule : member(role, "rules")) {
    rules.push_back({strings_of(member(rule, "verbs")), strings_of(member(rule, "apiGroups")),
                     strings_of(member(rule, "resources")), strings_of(member(rule, "resourceNames")),
                     strings_of(member(rule, "nonResourceURLs"))});
  }
  return rules;
}

RbacObjects::Binding binding_of(const std::string& namespace_, const std::string& name, const Object& object) {
  using Kind = RbacObjects::BindingSubject::Kind;
  RbacObjects::Binding binding{name,
                               namespace_,
                               text(object, "roleRef", "kind") == "ClusterRole",
                               std::string(text(object, "roleRef", "name")),
                               {}};
  for (const Object& subject : member(object, "subjects")) {
    const std::string_view kind = text(subject, "kind");
    if (kind != "User" && kind != "Group" && kind != "ServiceAccount") continue;
    std::string in(text(subject, "namespace"));
    if (in.empty()) in = namespace_;
    binding.subjects.push_back({kind == "User"    ? Kind::user
                                : kind == "Group" ? Kind::group
                                                  : Kind::service_account,
                                std::string(text(subject, "name")), std::move(in)});
  }
  return binding;
}

}  // namespace

RbacObjects::RbacObjects(const RuleSet& rules) {
  std::vector<PolicyRule> node_rules;
  const std::vector<RuleEntry>& entries = rules.catalogue().rules();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (!rules.in_force(static_cast<Rule>(i))) continue;
    node_rules.insert(node_rules.end(), entries[i].allows.begin(), entries[i].allows.end());
  }
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::optional<RoleRule>& role = entries[i].role;
    if (!role) continue;
    // The only restriction among these rules removes the binding of system:node; the role itself stays.
    const bool unbound_node_role = entries[i].effect == Effect::restriction;
    if (!rules.in_force(static_cast<Rule>(i)) && !unbound_node_role) continue;
    std::vector<PolicyRule>& own = roles_[{"", role->name}];
    const std::vector<PolicyRule>& added = role->node_rules ? node_rules : role->rules;
    own.insert(own.end(), added.begin(), added.end());
    if (role->binding.empty()) continue;
    Binding binding{role->binding, "", true, role->name, {}};
    for (const std::string& user : role->users) binding.subjects.push_back({BindingSubject::Kind::user, user, ""});
    for (const std::string& group : role->groups) binding.subjects.push_back({BindingSubject::Kind::group, group, ""});
    if (unbound_node_role && !rules.in_force(static_cast<Rule>(i))) {
      binding.subjects.push_back({BindingSubject::Kind::group, "system:nodes", ""});
    }
    const auto [place, made] = bindings_.try_emplace({"", role->binding}, binding);
    if (made) continue;
    std::vector<BindingSubject>& all = place->second.subjects;
    all.insert(all.end(), binding.subjects.begin(), binding.subjects.end());
  }
}

void RbacObjects::put(std::string_view resource, const std::string& namespace_, const std::string& name,
                      const Object& object) {
  if (resource == "roles" || resource == "clusterroles") roles_[{namespace_, name}] = rules_of(object);
  if (resource == "rolebindings" || resource == "clusterrolebindings") {
    bindings_[{namespace_, name}] = binding_of(namespace_, name, object);
  }
}

void RbacObjects::erase(std::string_view resource, const std::string& namespace_, const std::string& name) {
  if (resource == "roles" || resource == "clusterroles") roles_.erase({namespace_, name});
  if (resource == "rolebindings" || resource == "clusterrolebindings") bindings_.erase({namespace_, name});
}

const std::vector<PolicyRule>* RbacObjects::role(const std::string& namespace_, const std::string& name) const {
  const auto found = roles_.find({namespace_, name});
  return found == roles_.end() ? nullptr : &found->second;
}

}  // namespace nodebound
