#include <algorithm>
#include <set>

#include "fakes/validation/kinds.h"
#include "reference/cluster/names.h"
#include "reference/release/behaviour_ids.h"

// ValidatePodSpec in pkg/apis/core/validation/validation.go: what is neither a container nor a volume.

namespace nodebound::validation {
namespace {

FieldMistakes wrong_gate_name(const std::string& field, const std::string& name) {
  return invalid_field_each(field, name, wrong_label_key(name));
}

FieldMistakes wrong_name_in_dns(const Object& spec, const char* field) {
  const std::string name(text(spec, field));
  if (name.empty()) return {};
  return invalid_field_each(std::string("spec.") + field, name, wrong_dns_label(name));
}

constexpr std::size_t most_nameservers = 3;

FieldMistakes wrong_searches(const std::vector<std::string>& searches, const Release& release) {
  const std::string field = "spec.dnsConfig.searches";
  const bool expanded = release.does(Behaviour::expanded_dns_config);
  const std::size_t most = expanded ? 32 : 6;
  const std::size_t longest = expanded ? 2048 : 256;
  FieldMistakes out;
  if (searches.size() > most) {
    out.push_back(invalid_field(field, searches, "must not have more than " + std::to_string(most) + " search paths"));
  }
  std::size_t length = searches.empty() ? 0 : searches.size() - 1;
  for (const std::string& search : searches) length += search.size();
  if (length > longest) {
    out.push_back(invalid_field(
        field, searches,
        "must not have more than " + std::to_string(longest) + " characters (including spaces) in the search list"));
  }
  const bool relaxed = release.does(Behaviour::relaxed_dns_searches);
  std::size_t at = 0;
  for (std::string search : searches) {
    const std::string own = field + "[" + std::to_string(at++) + "]";
    if (relaxed && search == ".") continue;
    if (search.ends_with('.')) search.pop_back();
    append(out, invalid_field_each(own, search, relaxed ? wrong_dns_search(search) : wrong_dns_subdomain(search)));
  }
  return out;
}

}  // namespace

FieldMistakes wrong_ports_of_host(const Object& spec, const Release& release) {
  if (!is_true(spec, "hostNetwork")) return {};
  FieldMistakes out;
  std::size_t container = 0;
  for (const Object& each : member(spec, "containers")) {
    const std::string ports = "spec.containers[" + std::to_string(container++) + "].ports[";
    std::size_t at = 0;
    for (const Object& port : member(each, "ports")) {
      const std::string field = ports + std::to_string(at++) + "].";
      const Object& of_host = member(port, "hostPort");
      const Object& of_container = member(port, "containerPort");
      if (of_host.is_null() || of_host == of_container) continue;
      out.push_back(
          release.does(Behaviour::host_port_told)
              ? invalid_field(field + "hostPort", of_host, "must match `containerPort` when `hostNetwork` is true")
              : invalid_field(field + "containerPort", of_container,
                              "must match `hostPort` when `hostNetwork` is true"));
    }
  }
  return out;
}

FieldMistakes wrong_dns_policy(const Object& spec) {
  const std::vector<std::string> known = {"ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"};
  const std::string policy(text(spec, "dnsPolicy"));
  if (policy.empty() || std::find(known.begin(), known.end(), policy) != known.end()) return {};
  return {unsupported_field("spec.dnsPolicy", policy, known)};
}

FieldMistakes wrong_dns_config(const Object& spec, const Release& release) {
  const Object& config = member(spec, "dnsConfig");
  const std::vector<std::string> servers = strings_of(member(config, "nameservers"));
  if (text(spec, "dnsPolicy") == "None") {
    if (!config.is_object())
      return {required_field("spec.dnsConfig", "must provide `dnsConfig` when `dnsPolicy` is None")};
    if (servers.empty())
      return {required_field("spec.dnsConfig.nameservers",
                             "must provide at least one DNS nameserver when `dnsPolicy` is None")};
  }
  FieldMistakes out;
  if (servers.size() > most_nameservers) {
    out.push_back(invalid_field("spec.dnsConfig.nameservers", servers,
                                "must not have more than " + std::to_string(most_nameservers) + " nameservers"));
  }
  std::size_t at = 0;
  for (const std::string& server : servers) {
    append(out, wrong_address("spec.dnsConfig.nameservers[" + std::to_string(at++) + "]", server, release));
  }
  append(out, wrong_searches(strings_of(member(config, "searches")), release));
  at = 0;
  for (const Object& option : member(config, "options")) {
    const std::string field = "spec.dnsConfig.options[" + std::to_string(at++) + "]";
    if (text(option, "name").empty()) out.push_back(required_field(field, "must not be empty"));
  }
  return out;
}

FieldMistakes wrong_host_aliases(const Object& spec, const Release& release) {
  FieldMistakes out;
  std::size_t at = 0;
  for (const Object& alias : member(spec, "hostAliases")) {
    const std::string field = "spec.hostAliases[" + std::to_string(at++) + "].";
    append(out, wrong_address(field + "ip", std::string(text(alias, "ip")), release));
    std::size_t name = 0;
    for (const std::string& host : strings_of(member(alias, "hostnames"))) {
      append(out,
             invalid_field_each(field + "hostnames[" + std::to_string(name++) + "]", host, wrong_dns_subdomain(host)));
    }
  }
  return out;
}

FieldMistakes wrong_gates(const Object& spec) {
  FieldMistakes out;
  std::size_t at = 0;
  for (const Object& gate : member(spec, "readinessGates")) {
    const std::string field = "spec.readinessGates[" + std::to_string(at++) + "].conditionType";
    append(out, wrong_gate_name(field, std::string(text(gate, "conditionType"))));
  }
  std::set<std::string> seen;
  at = 0;
  for (const Object& gate : member(spec, "schedulingGates")) {
    const std::string field = "spec.schedulingGates[" + std::to_string(at++) + "]";
    const std::string name(text(gate, "name"));
    append(out, wrong_gate_name(field, name));
    if (!seen.insert(name).second) out.push_back(duplicate_field(field, name));
  }
  return out;
}

FieldMistakes wrong_host_names(const Object& spec) {
  FieldMistakes out = wrong_name_in_dns(spec, "hostname");
  append(out, wrong_name_in_dns(spec, "subdomain"));
  return out;
}

FieldMistakes wrong_operating_system(const Object& spec) {
  if (!member(spec, "os").is_object()) return {};
  const std::string name(text(spec, "os", "name"));
  if (name.empty()) return {required_field("spec.os.name", "")};
  if (name == "linux" || name == "windows") return {};
  return {unsupported_field("spec.os", name, {"linux", "windows"})};
}

}  // namespace nodebound::validation
