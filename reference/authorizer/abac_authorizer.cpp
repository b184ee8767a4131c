#include "reference/authorizer/abac_authorizer.h"

#include <algorithm>

namespace nodebound {
namespace {

bool is_or_any(const std::string& pattern, const std::string& value) {
  return pattern == "*" || pattern == value;
}

bool names(const RuleSet& rules, const AbacPolicy& policy, const Subject& subject) {
  const bool by_user = !policy.user.empty();
  const bool by_group = !policy.group.empty();
  if (by_user && !rules.in_force(Rule::abac_user)) return false;
  if (!by_user && by_group && !rules.in_force(Rule::abac_group)) return false;
  const bool is_user = policy.user == subject.name;
  const bool is_member = subject.in_group(policy.group);
  if (by_user && by_group)
    return rules.in_force(Rule::abac_user_and_group) ? is_user && is_member : is_user || is_member;
  if (!by_user && !by_group) return !rules.in_force(Rule::abac_no_subject);
  return by_user ? is_user : is_member;
}

bool is_about(const RuleSet& rules, const AbacPolicy& policy, const Subject& subject) {
  if (policy.unversioned && !rules.in_force(Rule::abac_unversioned)) return false;
  switch (policy.subjects) {
    case AbacPolicy::Subjects::named:
      return names(rules, policy, subject);
    case AbacPolicy::Subjects::any:
      if (!rules.in_force(Rule::abac_any_subject)) return false;
      break;
    case AbacPolicy::Subjects::left_out:
      if (!rules.in_force(Rule::abac_unversioned_subject)) return false;
      break;
  }
  return subject.in_group(policy.group) || !rules.in_force(Rule::abac_only_authenticated);
}

bool reads(const std::string& verb) {
  return verb == "get" || verb == "list" || verb == "watch";
}

bool covers_path(std::string_view pattern, std::string_view path) {
  if (pattern == "*" || pattern == path) return true;
  if (!pattern.ends_with('*')) return false;
  return path.starts_with(pattern.substr(0, pattern.find_last_not_of('*') + 1));
}

bool covers_request(const RuleSet& rules, const AbacPolicy& policy, const Attributes& attributes) {
  const auto compared = [&](Rule which, bool match) { return match || !rules.in_force(which); };
  if (policy.readonly && !compared(Rule::abac_readonly, reads(attributes.verb))) return false;
  if (!attributes.resource_request) {
    return compared(Rule::abac_non_resource_path, covers_path(policy.non_resource_path, attributes.path));
  }
  if (!attributes.subresource.empty() && !rules.in_force(Rule::abac_subresource)) return false;
  return compared(Rule::abac_namespace, is_or_any(policy.namespace_, attributes.namespace_)) &&
         compared(Rule::abac_resource, is_or_any(policy.resource, attributes.resource)) &&
         compared(Rule::abac_api_group, is_or_any(policy.api_group, attributes.api_group));
}

// Whether the index finds every policy that holds. It does as long as no comparison of its keys is left out.
bool may_look_up(const RuleSet& rules) {
  return rules.in_force(Rule::abac_resource) && rules.in_force(Rule::abac_no_subject) &&
         rules.in_force(Rule::abac_user_and_group) && rules.in_force(Rule::abac_only_authenticated);
}

Rule rule_of(const AbacPolicy& policy) {
  switch (policy.subjects) {
    case AbacPolicy::Subjects::any:
      return Rule::abac_any_subject;
    case AbacPolicy::Subjects::left_out:
      return Rule::abac_unversioned_subject;
    case AbacPolicy::Subjects::named:
      break;
  }
  return policy.user.empty() ? Rule::abac_group : Rule::abac_user;
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

const AbacPolicy* AbacPolicies::first_of(const Index& index, const Key& key, const Question& question) const {
  const auto found = index.find(key);
  if (found == index.end()) return nullptr;
  const auto policy = std::find_if(found->second.begin(), found->second.end(), [&](std::uint32_t i) {
    return is_about(question.rules, policies_[i], question.subject) &&
           covers_request(question.rules, policies_[i], question.attributes);
  });
  return policy == found->second.end() ? nullptr : &policies_[*policy];
}

const AbacPolicy* AbacPolicies::first_as(bool user, std::string_view name, const Question& question) const {
  if (!question.attributes.resource_request) return first_of(of_paths_, {user, name, {}}, question);
  const AbacPolicy* const of_any = first_of(of_resources_, {user, name, "*"}, question);
  return of_any != nullptr ? of_any : first_of(of_resources_, {user, name, question.attributes.resource}, question);
}

const AbacPolicy* AbacPolicies::allowing(const RuleSet& rules, const Subject& subject,
                                         const Attributes& attributes) const {
  if (!may_look_up(rules)) {
    const auto found = std::find_if(policies_.begin(), policies_.end(), [&](const AbacPolicy& policy) {
      return is_about(rules, policy, subject) && covers_request(rules, policy, attributes);
    });
    return found == policies_.end() ? nullptr : &*found;
  }
  const Question question{rules, subject, attributes};
  const AbacPolicy* found = first_as(true, subject.name, question);
  for (auto group = subject.groups.begin(); found == nullptr && group != subject.groups.end(); ++group) {
    found = first_as(false, *group, question);
  }
  return found;
}

std::vector<const AbacPolicy*> AbacPolicies::policies_for(const RuleSet& rules, const Subject& subject,
                                                          const std::string& namespace_) const {
  std::vector<const AbacPolicy*> out;
  for (const AbacPolicy& policy : policies_) {
    if (is_about(rules, policy, subject) && is_or_any(policy.namespace_, namespace_)) out.push_back(&policy);
  }
  return out;
}

Decision AbacAuthorizer::authorize(const Subject& subject, const Attributes& attributes) const {
  if (const AbacPolicy* policy = policies_.allowing(rules_, subject, attributes)) {
    return Decision::allow(rule_of(*policy));
  }
  const auto outcome = rules_.in_force(Rule::abac_abstains) ? Decision::Outcome::no_opinion : Decision::Outcome::deny;
  return {outcome, Rule::abac_abstains, rules_.refusal(Rule::abac_abstains).render({})};
}

SubjectRules AbacAuthorizer::rules_for(const Subject& subject, const std::string& namespace_) const {
  SubjectRules out;
  for (const AbacPolicy* policy : policies_.policies_for(rules_, subject, namespace_)) {
    const std::vector<std::string> verbs =
        policy->readonly ? std::vector<std::string>{"get", "list", "watch"} : std::vector<std::string>{"*"};
    if (!policy->resource.empty()) out.rules.push_back({verbs, {policy->api_group}, {policy->resource}, {}, {}});
    if (!policy->non_resource_path.empty()) out.rules.push_back({verbs, {}, {}, {}, {policy->non_resource_path}});
  }
  return out;
}

}  // namespace nodebound
