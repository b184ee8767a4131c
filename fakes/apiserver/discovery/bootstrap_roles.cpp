#include "fakes/apiserver/discovery/bootstrap_roles.h"

#include <stdexcept>

#include "reference/release/toml_reader.h"

namespace nodebound::data {
std::string_view bootstrap_roles_text();
}  // namespace nodebound::data

namespace nodebound::apiserver {

namespace {

constexpr std::string_view bootstrap_roles_file = "fakes/apiserver/discovery/bootstrap_roles.toml";

PolicyRule read_rule(const toml::table& table) {
  TomlReader in(table);
  PolicyRule rule{in.texts("verbs"), in.texts("groups"), in.texts("resources"), in.texts("names"), in.texts("urls")};
  in.done();
  return rule;
}

void add_subjects(TomlReader& in, Object& out) {
  for (const std::string& name : in.texts("users")) {
    out.push_back({{"kind", "User"}, {"apiGroup", rbac_group}, {"name", name}});
  }
  for (const std::string& name : in.texts("groups")) {
    out.push_back({{"kind", "Group"}, {"apiGroup", rbac_group}, {"name", name}});
  }
  for (const std::string& account : in.texts("service_accounts")) {
    const std::size_t slash = account.find('/');
    out.push_back(
        {{"kind", "ServiceAccount"}, {"name", account.substr(slash + 1)}, {"namespace", account.substr(0, slash)}});
  }
}

void read_binding(TomlReader& in, bool in_namespace, Object& object) {
  const bool to_cluster_role = in.flag("cluster_role") || !in_namespace;
  object["roleRef"] = {
      {"apiGroup", rbac_group}, {"kind", to_cluster_role ? "ClusterRole" : "Role"}, {"name", in.text("role", true)}};
  add_subjects(in, object["subjects"]);
}

void read_role(TomlReader& in, Object& object) {
  Object rules;
  in.tables("rules", [&](const toml::table& rule) { rules.push_back(rule_object(read_rule(rule))); });
  object["rules"] = std::move(rules);
  const std::vector<std::string> labels = in.texts("aggregates");
  if (labels.empty()) return;
  Object& selectors = object["aggregationRule"]["clusterRoleSelectors"];
  for (const std::string& label : labels) selectors.push_back({{"matchLabels", {{label, "true"}}}});
}

BootstrapEntry read_entry(const std::string& resource, const toml::table& table) {
  TomlReader in(table);
  const std::string name = in.text("name", true);
  const std::string namespace_ = in.text("namespace");
  BootstrapEntry entry{
      {rbac_group, resource, namespace_, name}, {{"metadata", bootstrap_metadata(name)}}, ReleaseRange::read(in)};
  if (!namespace_.empty()) entry.object["metadata"]["namespace"] = namespace_;
  if (const toml::table* labels = in.table("labels")) {
    for (const auto& [key, value] : *labels) {
      entry.object["metadata"]["labels"][std::string(key.str())] = TomlReader::string_of(value);
    }
  }
  if (resource.ends_with("bindings")) {
    read_binding(in, !namespace_.empty(), entry.object);
  } else {
    read_role(in, entry.object);
  }
  in.done();
  return entry;
}

}  // namespace

Object bootstrap_metadata(const std::string& name) {
  return {{"name", name},
          {"labels", {{"kubernetes.io/bootstrapping", "rbac-defaults"}}},
          {"annotations", {{"rbac.authorization.kubernetes.io/autoupdate", "true"}}}};
}

Object rule_object(const PolicyRule& rule) {
  Object out = {{"verbs", rule.verbs}};
  if (!rule.groups.empty()) out["apiGroups"] = rule.groups;
  if (!rule.resources.empty()) out["resources"] = rule.resources;
  if (!rule.names.empty()) out["resourceNames"] = rule.names;
  if (!rule.urls.empty()) out["nonResourceURLs"] = rule.urls;
  return out;
}

Result<std::vector<BootstrapEntry>> parse_bootstrap_roles(std::string_view text) try {
  const toml::table file = parse_toml(text, bootstrap_roles_file);
  std::vector<BootstrapEntry> out;
  TomlReader in(file);
  for (const char* resource : {"clusterroles", "clusterrolebindings", "roles", "rolebindings"}) {
    in.tables(resource, [&](const toml::table& table) { out.push_back(read_entry(resource, table)); });
  }
  in.done();
  return out;
} catch (const toml::parse_error& error) {
  return toml_error(bootstrap_roles_file, error);
} catch (const TomlMistake& mistake) {
  return toml_error(bootstrap_roles_file, mistake);
}

KeyedObjects bootstrap_roles(const Release& release) {
  // Parsed once: exploration makes a new server for every episode.
  static const auto all = parse_bootstrap_roles(data::bootstrap_roles_text());
  if (!all) throw std::logic_error(all.error().text());
  KeyedObjects out;
  for (const BootstrapEntry& entry : *all) {
    if (entry.range.holds(release)) out.emplace_back(entry.key, entry.object);
  }
  return out;
}

}  // namespace nodebound::apiserver
