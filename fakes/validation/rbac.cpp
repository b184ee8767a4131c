#include "fakes/validation/kinds.h"
#include "fakes/validation/object.h"
#include "reference/cluster/names.h"

// pkg/apis/rbac/validation/validation.go

namespace nodebound::validation {
namespace {

constexpr const char* rbac_group = "rbac.authorization.k8s.io";

FieldMistakes wrong_rule(const Object& rule, bool namespaced, const std::string& field) {
  FieldMistakes out;
  if (member(rule, "verbs").empty()) {
    out.push_back(required_field(field + ".verbs", "verbs must contain at least one value"));
  }
  const Object& urls = member(rule, "nonResourceURLs");
  if (!urls.empty()) {
    if (namespaced) {
      out.push_back(
          invalid_field(field + ".nonResourceURLs", urls, "namespaced rules cannot apply to non-resource URLs"));
    }
    const bool both = !member(rule, "apiGroups").empty() || !member(rule, "resources").empty() ||
                      !member(rule, "resourceNames").empty();
    if (both) {
      out.push_back(invalid_field(field + ".nonResourceURLs", urls,
                                  "rules cannot apply to both regular resources and non-resource URLs"));
    }
    return out;
  }
  if (member(rule, "apiGroups").empty()) {
    out.push_back(required_field(field + ".apiGroups", "resource rules must supply at least one api group"));
  }
  if (member(rule, "resources").empty()) {
    out.push_back(required_field(field + ".resources", "resource rules must supply at least one resource"));
  }
  return out;
}

FieldMistakes wrong_rules(const Object& role, bool namespaced) {
  FieldMistakes out;
  std::size_t at = 0;
  for (const Object& rule : member(role, "rules")) {
    append(out, wrong_rule(rule, namespaced, "rules[" + std::to_string(at++) + "]"));
  }
  return out;
}

FieldMistakes wrong_subject(const Object& subject, bool namespaced, const std::string& field) {
  FieldMistakes out;
  const std::string name(text(subject, "name"));
  const std::string_view kind = text(subject, "kind");
  const std::string group(text(subject, "apiGroup"));
  if (name.empty()) out.push_back(required_field(field + ".name", ""));
  if (kind == "ServiceAccount") {
    if (!name.empty()) append(out, invalid_field_each(field + ".name", name, wrong_dns_subdomain(name)));
    if (!group.empty()) out.push_back(unsupported_field(field + ".apiGroup", group, {""}));
    if (!namespaced && text(subject, "namespace").empty()) out.push_back(required_field(field + ".namespace", ""));
  } else if (kind == "User" || kind == "Group") {
    if (group != rbac_group) out.push_back(unsupported_field(field + ".apiGroup", group, {rbac_group}));
  } else {
    out.push_back(unsupported_field(field + ".kind", kind, {"ServiceAccount", "User", "Group"}));
  }
  return out;
}

FieldMistakes wrong_binding_of(const Object& binding, bool namespaced) {
  FieldMistakes out;
  const std::string group(text(binding, "roleRef", "apiGroup"));
  const std::string kind(text(binding, "roleRef", "kind"));
  const std::string name(text(binding, "roleRef", "name"));
  if (group != rbac_group) out.push_back(unsupported_field("roleRef.apiGroup", group, {rbac_group}));
  if (kind != "ClusterRole" && (kind != "Role" || !namespaced)) {
    out.push_back(unsupported_field(
        "roleRef.kind", kind,
        namespaced ? std::vector<std::string>{"Role", "ClusterRole"} : std::vector<std::string>{"ClusterRole"}));
  }
  if (name.empty()) out.push_back(required_field("roleRef.name", ""));
  append(out, invalid_field_each("roleRef.name", name, wrong_path_segment(name)));
  std::size_t at = 0;
  for (const Object& subject : member(binding, "subjects")) {
    append(out, wrong_subject(subject, namespaced, "subjects[" + std::to_string(at++) + "]"));
  }
  return out;
}

}  // namespace

FieldMistakes wrong_role(const Object& role) {
  return wrong_rules(role, true);
}

FieldMistakes wrong_cluster_role(const Object& role) {
  FieldMistakes out = wrong_rules(role, false);
  const Object& aggregation = member(role, "aggregationRule");
  if (!aggregation.is_null() && member(aggregation, "clusterRoleSelectors").empty()) {
    out.push_back(required_field("aggregationRule.clusterRoleSelectors",
                                 "at least one clusterRoleSelector required if aggregationRule is non-nil"));
  }
  return out;
}

FieldMistakes wrong_role_binding(const Object& binding) {
  return wrong_binding_of(binding, true);
}

FieldMistakes wrong_cluster_role_binding(const Object& binding) {
  return wrong_binding_of(binding, false);
}

FieldMistakes wrong_binding_change(const Object& binding, const Object& before) {
  const Object& role = member(binding, "roleRef");
  if (means_the_same(role, member(before, "roleRef"))) return {};
  // The internal Go type has no JSON names, so errors show its Go names.
  const Shown shown = {
      {"APIGroup", text(role, "apiGroup")}, {"Kind", text(role, "kind")}, {"Name", text(role, "name")}};
  return {invalid_field("roleRef", shown, "cannot change roleRef")};
}

}  // namespace nodebound::validation
