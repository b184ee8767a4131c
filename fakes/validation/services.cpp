#include <set>
#include <string>

#include "fakes/validation/kinds.h"
#include "reference/cluster/names.h"
#include "reference/release/behaviour_ids.h"

// pkg/apis/core/validation/validation.go, for the ports and addresses of Services and Endpoints.

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
  append(out, wrong_protocol(field + ".protocol", std::string(text(port, "protocol"))));
  append(out, wrong_port_or_name(field + ".targetPort", member(port, "targetPort")));
  return out;
}

FieldMistakes wrong_external_addresses(const Object& spec, const Release& release) {
  FieldMistakes out;
  std::size_t at = 0;
  for (const std::string& address : strings_of(member(spec, "externalIPs"))) {
    const std::string field = "spec.externalIPs[" + std::to_string(at++) + "]";
    FieldMistakes wrong = wrong_address(field, address, release);
    append(out, wrong.empty() ? wrong_endpoint_address(field, address) : std::move(wrong));
  }
  return out;
}

FieldMistakes wrong_endpoint(const std::string& field, const Object& endpoint, const Release& release) {
  const std::string address(text(endpoint, "ip"));
  FieldMistakes out = wrong_address(field + ".ip", address, release);
  const std::string host(text(endpoint, "hostname"));
  if (!host.empty()) append(out, invalid_field_each(field + ".hostname", host, wrong_dns_label(host)));
  if (const Object& node = member(endpoint, "nodeName"); node.is_string())
    append(out, invalid_field_each(field + ".nodeName", node, wrong_dns_subdomain(node.get_ref<const std::string&>())));
  append(out, wrong_endpoint_address(field + ".ip", address));
  return out;
}

FieldMistakes wrong_endpoint_port(const std::string& field, const Object& port, bool named) {
  FieldMistakes out;
  const std::string name(text(port, "name"));
  if (name.empty() && named) out.push_back(required_field(field + ".name", ""));
  if (!name.empty()) append(out, invalid_field_each(field + ".name", name, wrong_dns_label(name)));
  append(out, wrong_port_number(field + ".port", member(port, "port")));
  append(out, wrong_protocol(field + ".protocol", std::string(text(port, "protocol"))));
  if (const Object& own = member(port, "appProtocol"); own.is_string())
    append(out, invalid_field_each(field + ".appProtocol", own, wrong_label_key(own.get_ref<const std::string&>())));
  return out;
}

FieldMistakes wrong_subset(const std::string& field, const Object& subset, const Release& release) {
  FieldMistakes out;
  if (member(subset, "addresses").empty() && member(subset, "notReadyAddresses").empty())
    out.push_back(required_field(field, "must specify `addresses` or `notReadyAddresses`"));
  for (const char* list : {"addresses", "notReadyAddresses"}) {
    std::size_t at = 0;
    for (const Object& endpoint : member(subset, list)) {
      append(out, wrong_endpoint(field + "." + list + "[" + std::to_string(at++) + "]", endpoint, release));
    }
  }
  std::size_t at = 0;
  const Object& ports = member(subset, "ports");
  for (const Object& port : ports) {
    append(out, wrong_endpoint_port(field + ".ports[" + std::to_string(at++) + "]", port, ports.size() > 1));
  }
  return out;
}

}  // namespace

FieldMistakes wrong_service(const Object& service, const Release& release) {
  FieldMistakes out;
  const Object& spec = member(service, "spec");
  const Object& ports = member(spec, "ports");
  const bool completed = text(spec, "clusterIP").empty() || !member(spec, "clusterIPs").empty();
  const bool must_be_completed = release.does(Behaviour::services_completed_by_storage);
  const bool headless = text(spec, "clusterIP") == "None" && (completed || !must_be_completed);
  const bool may_have_none = text(spec, "type") == "ExternalName" || headless;
  if (ports.empty() && !may_have_none) out.push_back(required_field("spec.ports", ""));
  std::set<std::string> names;
  std::size_t at = 0;
  for (const Object& port : ports) {
    append(out, wrong_service_port("spec.ports[" + std::to_string(at++) + "]", port, ports.size() > 1, names));
  }
  if (!completed && must_be_completed) out.push_back(required_field("spec.clusterIPs", ""));
  append(out, wrong_external_addresses(spec, release));
  append(out, wrong_source_ranges(service, release));
  return out;
}

FieldMistakes wrong_endpoints(const Object& endpoints, const Release& release) {
  FieldMistakes out;
  std::size_t at = 0;
  for (const Object& subset : member(endpoints, "subsets")) {
    append(out, wrong_subset("subsets[" + std::to_string(at++) + "]", subset, release));
  }
  return out;
}

}  // namespace nodebound::validation
