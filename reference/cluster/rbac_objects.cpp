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

RbacObjects::BySubject& RbacObjects::of_kind(const BindingSubject& subject) {
  return subject.kind == BindingSubject::Kind::group ? groups_ : users_;
}

void RbacObjects::set(const Key& key, Binding binding) {
  forget(key);
  auto kept = std::make_shared<const Binding>(std::move(binding));
  for (const BindingSubject& subject : kept->subjects) {
    OfSubject& all = of_kind(subject)[user_or_group(subject)];
    Named& named = kept->namespace_.empty() ? all.cluster_wide : all.in_namespaces[kept->namespace_];
    named.emplace(kept->name, kept);
  }
  bindings_[key] = std::move(kept);
}

void RbacObjects::forget(const Key& key) {
  const auto found = bindings_.find(key);
  if (found == bindings_.end()) return;
  const std::shared_ptr<const Binding> old = std::move(found->second);
  bindings_.erase(found);
  for (const BindingSubject& subject : old->subjects) {
    BySubject& subjects = of_kind(subject);
    const auto all = subjects.find(user_or_group(subject));
    if (all == subjects.end()) continue;
    if (old->namespace_.empty()) {
      all->second.cluster_wide.erase(old->name);
    } else if (const auto own = all->second.in_namespaces.find(old->namespace_);
               own != all->second.in_namespaces.end()) {
      own->second.erase(old->name);
      if (own->second.empty()) all->second.in_namespaces.erase(own);
    }
    if (all->second.cluster_wide.empty() && all->second.in_namespaces.empty()) subjects.erase(all);
  }
}

RbacObjects::BindingsOf::BindingsOf(const RbacObjects& objects, const std::string& user,
                                    const std::vector<std::string>& groups) {
  add(objects.users_, user);
  for (const std::string& group : groups) add(objects.groups_, group);
}

void RbacObjects::BindingsOf::add(const BySubject& all, const std::string& name) {
  const auto found = all.find(name);
  if (found == all.end()) return;
  const Part own{&found->second, {}, {}};
  if (count_ < few_.size()) {
    few_[count_] = own;
  } else {
    more_.push_back(own);
  }
  ++count_;
}

void RbacObjects::BindingsOf::start(std::string_view namespace_) {
  static const Named none;
  for (std::size_t i = 0; i < count_; ++i) {
    Part& own = part(i);
    const Named* named = &own.all->cluster_wide;
    if (!namespace_.empty()) {
      const auto in = own.all->in_namespaces.find(namespace_);
      named = in == own.all->in_namespaces.end() ? &none : &in->second;
    }
    own.at = named->begin();
    own.end = named->end();
  }
}

const RbacObjects::Binding* RbacObjects::BindingsOf::next() {
  const Binding* first = nullptr;
  for (std::size_t i = 0; i < count_; ++i) {
    const Part& own = part(i);
    if (own.at != own.end && (first == nullptr || own.at->first < first->name)) first = own.at->second.get();
  }
  if (first == nullptr) return nullptr;
  for (std::size_t i = 0; i < count_; ++i) {
    Part& own = part(i);
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

const std::vector<PolicyRule>* RbacObjects::role(std::string_view namespace_, std::string_view name) const {
  const auto found = roles_.find(std::pair(namespace_, name));
  return found == roles_.end() ? nullptr : &found->second;
}

}  // namespace nodebound
