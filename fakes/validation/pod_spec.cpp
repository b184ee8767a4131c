#include <algorithm>
#include <set>

#include "fakes/validation/kinds.h"
#include "reference/cluster/names.h"

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

}  // namespace

FieldMistakes wrong_ports_of_host(const Object& spec) {
  if (!is_true(spec, "hostNetwork")) return {};
  FieldMistakes out;
  std::size_t container = 0;
  for (const Object& each : member(spec, "containers")) {
    const std::string ports = "spec.containers[" + std::to_string(container++) + "].ports[";
    std::size_t at = 0;
    for (const Object& port : member(each, "ports")) {
      const std::string field = ports + std::to_string(at++) + "].hostPort";
      const Object& own = member(port, "hostPort");
      if (!own.is_null() && own != member(port, "containerPort"))
        out.push_back(invalid_field(field, own, "must match `containerPort` when `hostNetwork` is true"));
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

FieldMistakes wrong_dns_config(const Object& spec) {
  if (text(spec, "dnsPolicy") != "None") return {};
  if (!member(spec, "dnsConfig").is_object())
    return {required_field("spec.dnsConfig", "must provide `dnsConfig` when `dnsPolicy` is None")};
  if (!member(spec, "dnsConfig", "nameservers").empty()) return {};
  return {required_field("spec.dnsConfig.nameservers",
                         "must provide at least one DNS nameserver when `dnsPolicy` is None")};
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
