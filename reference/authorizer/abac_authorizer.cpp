#include "reference/authorizer/abac_authorizer.h"

#include <algorithm>

namespace nodebound {
namespace {

bool is_or_any(const std::string& pattern, const std::string& value) {
  return pattern == "*" || pattern == value;
}

bool is_about(const AbacPolicy& policy, const Subject& subject) {
  if (policy.user.empty() && policy.group.empty()) return false;
  if (!policy.user.empty() && policy.user != subject.name) return false;
  return policy.group.empty() || subject.in_group(policy.group);
}

bool reads(const std::string& verb) {
  return verb == "get" || verb == "list" || verb == "watch";
}

bool covers_path(std::string_view pattern, std::string_view path) {
  if (pattern == "*" || pattern == path) return true;
  if (!pattern.ends_with('*')) return false;
  return path.starts_with(pattern.substr(0, pattern.find_last_not_of('*') + 1));
}

bool covers_request(const AbacPolicy& policy, const Attributes& attributes) {
  if (policy.readonly && !reads(attributes.verb)) return false;
  if (!attributes.resource_request) return covers_path(policy.non_resource_path, attributes.path);
  return is_or_any(policy.namespace_, attributes.namespace_) && is_or_any(policy.resource, attributes.resource) &&
         is_or_any(policy.api_group, attributes.api_group);
}

}  // namespace

std::size_t AbacPolicies::Hash::operator()(const Key& key) const {
  const std::hash<std::string_view> hash;
  return (hash(key.subject) * 3 + hash(key.resource)) * 2 + (key.of_user ? 1 : 0);
}

AbacPolicies::AbacPolicies(std::vector<AbacPolicy> policies) : policies_(std::move(policies)) {
  for (std::uint32_t i = 0; i < policies_.size(); ++i) {
    const AbacPolicy& policy = policies_[i];
    const bool of_user = !policy.user.empty();
    const std::string_view subject = of_user ? policy.user : policy.group;
    of_resources_[{of_user, subject, policy.resource}].push_back(i);
    of_paths_[{of_user, subject, {}}].push_back(i);
  }
}

bool AbacPolicies::any_allows(const Index& index, const Key& key, const Subject& subject,
                              const Attributes& attributes) const {
  const auto found = index.find(key);
  return found != index.end() && std::any_of(found->second.begin(), found->second.end(), [&](std::uint32_t i) {
           return is_about(policies_[i], subject) && covers_request(policies_[i], attributes);
         });
}

bool AbacPolicies::allow_as(bool user, std::string_view name, const Subject& subject,
                            const Attributes& attributes) const {
  if (!attributes.resource_request) return any_allows(of_paths_, {user, name, {}}, subject, attributes);
  return any_allows(of_resources_, {user, name, "*"}, subject, attributes) ||
         any_allows(of_resources_, {user, name, attributes.resource}, subject, attributes);
}

bool AbacPolicies::allow(const Subject& subject, const Attributes& attributes) const {
  return allow_as(true, subject.name, subject, attributes) ||
         std::any_of(subject.groups.begin(), subject.groups.end(),
                     [&](const std::string& group) { return allow_as(false, group, subject, attributes); });
}

std::vector<const AbacPolicy*> AbacPolicies::policies_for(const Subject& subject, const std::string& namespace_) const {
  std::vector<const AbacPolicy*> out;
  for (const AbacPolicy& policy : policies_) {
    if (is_about(policy, subject) && is_or_any(policy.namespace_, namespace_)) out.push_back(&policy);
  }
  return out;
}

Decision AbacAuthorizer::authorize(const Subject& subject, const Attributes& attributes) const {
  if (policies_.allow(subject, attributes)) return Decision::allow(std::nullopt);
  return Decision::no_opinion(std::nullopt, "No policy matched.");
}

SubjectRules AbacAuthorizer::rules_for(const Subject& subject, const std::string& namespace_) const {
  SubjectRules out;
  for (const AbacPolicy* policy : policies_.policies_for(subject, namespace_)) {
    const std::vector<std::string> verbs =
        policy->readonly ? std::vector<std::string>{"get", "list", "watch"} : std::vector<std::string>{"*"};
    if (!policy->resource.empty()) out.rules.push_back({verbs, {policy->api_group}, {policy->resource}, {}, {}});
    if (!policy->non_resource_path.empty()) out.rules.push_back({verbs, {}, {}, {}, {policy->non_resource_path}});
  }
  return out;
}

}  // namespace nodebound
