#include "reference/cluster/rbac_objects.h"

#include <utility>

namespace nodebound {
namespace {

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

// A service account has a name as a user; without a namespace it is nobody.
std::string user_or_group(const RbacObjects::BindingSubject& subject) {
  if (subject.kind != RbacObjects::BindingSubject::Kind::service_account) return subject.name;
  return "system:serviceaccount:" + subject.namespace_ + ":" + subject.name;
}

}  // namespace

std::vector<PolicyRule> rules_of_role(const Object& role) {
  std::vector<PolicyRule> rules;
  for (const Object& rule : member(role, "rules")) {
    rules.push_back({strings_of(member(rule, "verbs")), strings_of(member(rule, "apiGroups")),
                     strings_of(member(rule, "resources")), strings_of(member(rule, "resourceNames")),
                     strings_of(member(rule, "nonResourceURLs"))});
  }
  return rules;
}

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
    if (const auto same = bindings_.find({"", role->binding}); same != bindings_.end()) {
      const std::vector<BindingSubject>& others = same->second->subjects;
      binding.subjects.insert(binding.subjects.begin(), others.begin(), others.end());
    }
    set({"", role->binding}, std::move(binding));
  }
}

RbacObjects::BySubject& RbacObjects::of_kind(const Binding& binding, const BindingSubject& subject) {
  InNamespace& all = index_[binding.namespace_];
  return subject.kind == BindingSubject::Kind::group ? all.groups : all.users;
}

void RbacObjects::set(const Key& key, Binding binding) {
  forget(key);
  auto kept = std::make_shared<const Binding>(std::move(binding));
  for (const BindingSubject& subject : kept->subjects) {
    of_kind(*kept, subject)[user_or_group(subject)].emplace(kept->name, kept);
  }
  bindings_[key] = std::move(kept);
}

void RbacObjects::forget(const Key& key) {
  const auto found = bindings_.find(key);
  if (found == bindings_.end()) return;
  const std::shared_ptr<const Binding> old = std::move(found->second);
  bindings_.erase(found);
  for (const BindingSubject& subject : old->subjects) {
    BySubject& all = of_kind(*old, subject);
    const auto named = all.find(user_or_group(subject));
    if (named == all.end()) continue;
    named->second.erase(old->name);
    if (named->second.empty()) all.erase(named);
  }
}

RbacObjects::BindingsOf::BindingsOf(const RbacObjects& objects, const std::string& namespace_, const std::string& user,
                                    const std::vector<std::string>& groups) {
  const auto found = objects.index_.find(namespace_);
  if (found == objects.index_.end()) return;
  add(found->second.users, user);
  for (const std::string& group : groups) add(found->second.groups, group);
}

void RbacObjects::BindingsOf::add(const BySubject& all, const std::string& name) {
  const auto found = all.find(name);
  if (found == all.end()) return;
  const Rest own{found->second.begin(), found->second.end()};
  if (count_ < few_.size()) {
    few_[count_] = own;
  } else {
    more_.push_back(own);
  }
  ++count_;
}

const RbacObjects::Binding* RbacObjects::BindingsOf::next() {
  const Binding* first = nullptr;
  for (std::size_t i = 0; i < count_; ++i) {
    const Rest& own = rest(i);
    if (own.at != own.end && (first == nullptr || own.at->first < first->name)) first = own.at->second.get();
  }
  if (first == nullptr) return nullptr;
  for (std::size_t i = 0; i < count_; ++i) {
    Rest& own = rest(i);
    if (own.at != own.end && own.at->second.get() == first) ++own.at;
  }
  return first;
}

void RbacObjects::put(std::string_view resource, const std::string& namespace_, const std::string& name,
                      const Object& object) {
  if (resource == "roles" || resource == "clusterroles") roles_[{namespace_, name}] = rules_of_role(object);
  if (resource == "rolebindings" || resource == "clusterrolebindings") {
    set({namespace_, name}, binding_of(namespace_, name, object));
  }
}

void RbacObjects::erase(std::string_view resource, const std::string& namespace_, const std::string& name) {
  if (resource == "roles" || resource == "clusterroles") roles_.erase({namespace_, name});
  if (resource == "rolebindings" || resource == "clusterrolebindings") forget({namespace_, name});
}

const std::vector<PolicyRule>* RbacObjects::role(const std::string& namespace_, const std::string& name) const {
  const auto found = roles_.find({namespace_, name});
  return found == roles_.end() ? nullptr : &found->second;
}

}  // namespace nodebound
