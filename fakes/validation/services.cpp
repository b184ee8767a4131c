#include <set>
#include <string>

#include "fakes/validation/kinds.h"
#include "reference/cluster/names.h"

// pkg/apis/core/validation/validation.go, for the ports of Services.

namespace nodebound::validation {
namespace {

FieldMistakes wrong_service_port(const std::string& field, const Object& port, bool named,
                                 std::set<std::string>& names) {
  FieldMistakes out;
  const std::string name(text(port, "name"));
  if (name.empty() && named) out.push_back(required_field(field + ".name", ""));
  if (!name.empty()) {
    append(out, invalid_field_each(field + ".name", name, wrong_dns_label(name)));
    if (!names.insert(name).second) out.push_back(duplicate_field(field + ".name", name));
  }
  append(out, wrong_port_number(field + ".port", member(port, "port")));
  const std::string protocol(text(port, "protocol"));
  if (protocol.empty()) {
    out.push_back(required_field(field + ".protocol", ""));
  } else if (protocol != "TCP" && protocol != "UDP" && protocol != "SCTP") {
    out.push_back(unsupported_field(field + ".protocol", protocol, {"SCTP", "TCP", "UDP"}));
  }
  append(out, wrong_port_or_name(field + ".targetPort", member(port, "targetPort")));
  return out;
}

}  // namespace

FieldMistakes wrong_service(const Object& service) {
  FieldMistakes out;
  const Object& spec = member(service, "spec");
  const Object& ports = member(spec, "ports");
  const bool may_have_none = text(spec, "type") == "ExternalName" || text(spec, "clusterIP") == "None";
  if (ports.empty() && !may_have_none) out.push_back(required_field("spec.ports", ""));
  std::set<std::string> names;
  std::size_t at = 0;
  for (const Object& port : ports) {
    append(out, wrong_service_port("spec.ports[" + std::to_string(at++) + "]", port, ports.size() > 1, names));
  }
  return out;
}

}  // namespace nodebound::validation
