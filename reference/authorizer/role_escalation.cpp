#include "reference/authorizer/role_escalation.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "reference/authorizer/rbac_authorizer.h"
#include "reference/release/behaviour_ids.h"
#include "reference/release/refusal_text.h"

namespace nodebound {
namespace {

using Texts = std::vector<std::string>;

bool has(const Texts& texts, std::string_view text) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

// A part has at most one of each.
bool has_or_all(const Texts& held, const Texts& part) {
  return has(held, "*") || part.empty() || has(held, part.front());
}

bool covers_resource(const Texts& held, const Texts& part) {
  if (has_or_all(held, part)) return true;
  const std::size_t slash = part.front().find('/');
  return slash != std::string::npos && has(held, "*" + part.front().substr(slash));
}

bool covers_url(const Texts& held, const Texts& part) {
  return part.empty() || std::any_of(held.begin(), held.end(), [&](const std::string& own) {
           const std::string prefix = own.substr(0, own.find_last_not_of('*') + 1);
           return own == part.front() || (own.ends_with('*') && part.front().starts_with(prefix));
         });
}

bool covers_name(const Texts& held, const Texts& part) {
  return held.empty() || (!part.empty() && has(held, part.front()));
}

bool covers_part(const PolicyRule& held, const PolicyRule& part) {
  return has_or_all(held.verbs, part.verbs) && has_or_all(held.groups, part.groups) &&
         covers_resource(held.resources, part.resources) && covers_name(held.names, part.names) &&
         covers_url(held.urls, part.urls);
}

std::vector<PolicyRule> parts_of(const PolicyRule& rule) {
  std::vector<PolicyRule> out;
  for (const std::string& group : rule.groups) {
    for (const std::string& resource : rule.resources) {
      for (const std::string& verb : rule.verbs) {
        if (rule.names.empty()) out.push_back({{verb}, {group}, {resource}, {}, {}});
        for (const std::string& name : rule.names) out.push_back({{verb}, {group}, {resource}, {name}, {}});
      }
    }
  }
  for (const std::string& url : rule.urls) {
    for (const std::string& verb : rule.verbs) out.push_back({{verb}, {}, {}, {}, {url}});
  }
  return out;
}

// Parts for the same resource become one rule with all verbs (policy_compact.go).
std::vector<PolicyRule> with_verbs_joined(const std::vector<PolicyRule>& parts) {
  std::map<std::tuple<Texts, Texts, Texts>, PolicyRule> joined;
  std::vector<PolicyRule> out;
  for (const PolicyRule& part : parts) {
    if (!part.urls.empty()) {
      out.push_back(part);
      continue;
    }
    const auto [place, is_new] = joined.try_emplace({part.groups, part.resources, part.names}, part);
    if (!is_new) place->second.verbs.push_back(part.verbs.front());
  }
  for (auto& [key, rule] : joined) out.push_back(std::move(rule));
  return out;
}

template <typename Write>
std::string in_brackets(const Texts& texts, Write write) {
  std::string out = "[";
  for (const std::string& text : texts) out += (out.size() == 1 ? "" : " ") + write(text);
  return out + "]";
}

// As %q and %v write a list of strings.
std::string quoted_list(const Texts& texts) {
  return in_brackets(texts, [](const std::string& text) { return go_quoted(text); });
}
std::string plain_list(const Texts& texts) {
  return in_brackets(texts, [](const std::string& text) { return text; });
}

// The fields that are not empty (CompactString of pkg/apis/rbac/v1/evaluation_helpers.go).
std::string with_field_names(const PolicyRule& rule, bool resources_first) {
  std::string out;
  const auto add = [&](const char* name, const Texts& texts) {
    if (!texts.empty()) out.append(out.empty() ? "" : ", ").append(name).append(":").append(quoted_list(texts));
  };
  if (!resources_first) add("APIGroups", rule.groups);
  add("Resources", rule.resources);
  add("NonResourceURLs", rule.urls);
  add("ResourceNames", rule.names);
  if (resources_first) add("APIGroups", rule.groups);
  add("Verbs", rule.verbs);
  return "{" + out + "}";
}

// A list of rules in the refusals before 1.12.
std::string old_list(const RuleSet& rules, const std::vector<PolicyRule>& all) {
  const bool named = rules.release().does(Behaviour::permissions_named_policy_rules);
  const bool resources_first = rules.release().does(Behaviour::permissions_name_resources_first);
  std::string out;
  for (const PolicyRule& rule : all) {
    out += out.empty() ? "" : " ";
    out += named ? "PolicyRule" + with_field_names(rule, resources_first)
                 : "{" + plain_list(rule.verbs) + " " + plain_list(rule.groups) + " " + plain_list(rule.resources) +
                       " " + plain_list(rule.names) + " " + plain_list(rule.urls) + "}";
  }
  return "[" + out + "]";
}

std::string lines_of(const std::vector<PolicyRule>& missing) {
  std::set<std::string> lines;
  for (const PolicyRule& rule : with_verbs_joined(missing)) lines.insert(with_field_names(rule, false));
  std::string out;
  for (const std::string& line : lines) out += (out.empty() ? "" : "\n") + line;
  return out;
}

std::string errors_of(const RuleSet& rules, const RbacAuthorizer::Held& held, std::string_view written) {
  Texts errors;
  for (const RbacObjects::Binding* binding : held.unresolved) {
    const std::string_view own = binding->to_cluster_role ? "clusterroles" : "roles";
    const bool as_written = rules.release().does(Behaviour::missing_role_named_as_written);
    errors.push_back(std::string(as_written ? written : own) + ".rbac.authorization.k8s.io " +
                     go_quoted(binding->role) + " not found");
  }
  return errors.empty() ? "[]" : "[" + go_aggregate(errors) + "]";
}

}  // namespace

std::vector<PolicyRule> permissions_missing(const std::vector<PolicyRule>& held,
                                            const std::vector<PolicyRule>& granted) {
  std::vector<PolicyRule> out;
  for (const PolicyRule& rule : granted) {
    for (PolicyRule& part : parts_of(rule)) {
      const bool covered =
          std::any_of(held.begin(), held.end(), [&](const PolicyRule& own) { return covers_part(own, part); });
      if (!covered) out.push_back(std::move(part));
    }
  }
  return out;
}

std::optional<std::string> RoleEscalation::refused(const Subject& subject, const Grant& grant) const {
  const RbacAuthorizer::Held held = RbacAuthorizer(rules_, objects_).held_by(subject, grant.namespace_);
  const std::vector<PolicyRule> missing = permissions_missing(held.rules, grant.rules);
  if (missing.empty()) return std::nullopt;
  const std::string errors = errors_of(rules_, held, grant.resource);
  const RefusalText& text = rules_.refusal(Rule::role_escalation);
  const std::string groups = quoted_list(subject.groups);
  const std::string resolution = held.unresolved.empty() ? "" : "; resolution errors: " + errors;
  const bool in_lines = rules_.release().does(Behaviour::permissions_in_lines);
  const std::string author = "&{" + subject.name + " " + subject.uid + " " + plain_list(subject.groups) + " map[]}";
  return text.render({{"user", subject.name},
                      {"groups", groups},
                      {"missing", in_lines ? lines_of(missing) + resolution : old_list(rules_, missing)},
                      {"author", author},
                      {"held", old_list(rules_, held.rules)},
                      {"errors", errors}});
}

bool RoleEscalation::holds_everything(const Subject& subject, const std::string& namespace_) const {
  static const std::vector<PolicyRule> everything = {{{"*"}, {"*"}, {"*"}, {}, {}}, {{"*"}, {}, {}, {}, {"*"}}};
  return permissions_missing(RbacAuthorizer(rules_, objects_).held_by(subject, namespace_).rules, everything).empty();
}

}  // namespace nodebound
