#include "reference/authorizer/policy.h"

#include <algorithm>

namespace nodebound {
namespace {

bool lists(const std::vector<std::string>& values, std::string_view value) {
  return std::any_of(values.begin(), values.end(), [&](const std::string& own) { return own == "*" || own == value; });
}

// `whole`: a resource that is listed stands for the request's subresource, too.
bool lists_resource(const std::vector<std::string>& resources, const Attributes& attributes, bool whole) {
  const auto matches = [&](std::string_view own) {
    if (own == "*") return true;
    if (whole && own == attributes.resource) return true;
    if (attributes.subresource.empty()) return false;
    const std::size_t size = attributes.resource.size();
    const bool exact = own.starts_with(attributes.resource) && own.substr(size, 1) == "/" &&
                       own.substr(size + 1) == attributes.subresource;
    return exact || (own.starts_with("*/") && own.substr(2) == attributes.subresource);
  };
  return std::any_of(resources.begin(), resources.end(), matches);
}

bool lists_url(const std::vector<std::string>& urls, std::string_view path) {
  const auto matches = [&](std::string_view own) {
    if (own == "*" || own == path) return true;
    if (!own.ends_with('*')) return false;
    while (own.ends_with('*')) own.remove_suffix(1);
    return path.starts_with(own);
  };
  return std::any_of(urls.begin(), urls.end(), matches);
}

template <typename InForce>
bool covers_where(InForce in_force, const PolicyRule& rule, const Attributes& attributes) {
  const auto compared = [&](Rule which, bool match) { return match || !in_force(which); };
  if (!compared(Rule::rbac_verb, lists(rule.verbs, attributes.verb))) return false;
  if (!attributes.resource_request) {
    return !rule.urls.empty() && compared(Rule::rbac_non_resource_url, lists_url(rule.urls, attributes.path));
  }
  const bool whole = attributes.subresource.empty() || !in_force(Rule::rbac_subresource);
  return !rule.resources.empty() && compared(Rule::rbac_api_group, lists(rule.groups, attributes.api_group)) &&
         compared(Rule::rbac_resource, lists_resource(rule.resources, attributes, whole)) &&
         (rule.names.empty() || compared(Rule::rbac_resource_name, std::find(rule.names.begin(), rule.names.end(),
                                                                             attributes.name) != rule.names.end()));
}

}  // namespace

bool covers(const RuleSet& rules, const PolicyRule& rule, const Attributes& attributes) {
  return covers_where([&](Rule which) { return rules.in_force(which); }, rule, attributes);
}

bool covers(const PolicyRule& rule, const Attributes& attributes) {
  return covers_where([](Rule) { return true; }, rule, attributes);
}

}  // namespace nodebound
