#include <algorithm>
#include <array>
#include <set>

#include "fakes/validation/kinds.h"
#include "reference/cluster/names.h"

// Ports, environment variables and probes of containers in pkg/apis/core/validation/validation.go.

namespace nodebound::validation {
namespace {

constexpr const char* port_range = "must be between 1 and 65535, inclusive";

bool is_port(const Object& number) {
  return number.is_number_integer() && number >= 1 && number <= 65535;
}

// The name of a port (IsValidPortName in apimachinery's pkg/util/validation).
std::vector<std::string> wrong_port_name(std::string_view name) {
  const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto is_allowed = [&](char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '-'; };
  std::vector<std::string> out;
  if (name.size() > 15) out.emplace_back("must be no more than 15 bytes");
  if (name.empty() || !std::all_of(name.begin(), name.end(), is_allowed)) {
    out.emplace_back("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
  }
  if (std::none_of(name.begin(), name.end(), is_letter)) out.emplace_back("must contain at least one letter (a-z)");
  if (name.find("--") != std::string_view::npos) out.emplace_back("must not contain consecutive hyphens");
  if (name.starts_with('-') || name.ends_with('-')) out.emplace_back("must not begin or end with a hyphen");
  return out;
}

FieldMistakes wrong_port(const std::string& field, const Object& port, std::set<std::string>& names) {
  FieldMistakes out;
  const std::string name(text(port, "name"));
  if (!name.empty()) {
    const std::vector<std::string> wrong = wrong_port_name(name);
    append(out, invalid_field_each(field + ".name", name, wrong));
    if (wrong.empty() && !names.insert(name).second) out.push_back(duplicate_field(field + ".name", name));
  }
  const Object& number = member(port, "containerPort");
  if (number.is_null() || number == 0) {
    out.push_back(required_field(field + ".containerPort", ""));
  } else if (!is_port(number)) {
    out.push_back(invalid_field(field + ".containerPort", number, port_range));
  }
  const Object& on_host = member(port, "hostPort");
  if (!on_host.is_null() && on_host != 0 && !is_port(on_host)) {
    out.push_back(invalid_field(field + ".hostPort", on_host, port_range));
  }
  const std::string protocol(text(port, "protocol"));
  if (!protocol.empty()) append(out, wrong_protocol(field + ".protocol", protocol));
  return out;
}

FieldMistakes wrong_key_reference(const std::string& field, const Object& reference) {
  const std::string name(text(reference, "name"));
  const std::string key(text(reference, "key"));
  FieldMistakes out = invalid_field_each(field + ".name", name, wrong_dns_subdomain(name));
  if (key.empty()) {
    out.push_back(required_field(field + ".key", ""));
  } else {
    append(out, invalid_field_each(field + ".key", key, wrong_config_key(key)));
  }
  return out;
}

FieldMistakes wrong_value_from(const std::string& field, const Object& variable) {
  const Object& from = member(variable, "valueFrom");
  if (from.is_null()) return {};
  FieldMistakes out;
  std::size_t sources = 0;
  for (const char* source : {"fieldRef", "resourceFieldRef", "configMapKeyRef", "secretKeyRef", "fileKeyRef"}) {
    const Object& reference = member(from, source);
    if (reference.is_null()) continue;
    ++sources;
    const bool key = std::string_view(source) == "configMapKeyRef" || std::string_view(source) == "secretKeyRef";
    if (key) append(out, wrong_key_reference(field + "." + source, reference));
  }
  if (sources == 0) {
    out.push_back(invalid_field(field, "",
                                "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, "
                                "`secretKeyRef` or `fileKeyRef`"));
  } else if (!text(variable, "value").empty()) {
    out.push_back(invalid_field(field, "", "may not be specified when `value` is not empty"));
  } else if (sources > 1) {
    out.push_back(invalid_field(field, "", "may not have more than one field specified at a time"));
  }
  return out;
}

FieldMistakes wrong_variable(const std::string& field, const Object& variable) {
  FieldMistakes out;
  const std::string name(text(variable, "name"));
  const bool printable = std::all_of(name.begin(), name.end(), [](char c) { return c >= ' ' && c <= '~' && c != '='; });
  if (name.empty()) {
    out.push_back(required_field(field + ".name", ""));
  } else if (!printable) {
    out.push_back(invalid_field(
        field + ".name", name,
        "a valid environment variable name must consist only of printable ASCII characters other than '='"));
  }
  append(out, wrong_value_from(field + ".valueFrom", variable));
  return out;
}

FieldMistakes wrong_handler(const std::string& field, const Object& probe) {
  FieldMistakes out;
  bool found = false;
  for (const char* kind : {"exec", "httpGet", "tcpSocket", "grpc"}) {
    const Object& handler = member(probe, kind);
    if (handler.is_null()) continue;
    const std::string own = field + "." + kind;
    if (found) {
      out.push_back(forbidden_field(own, "may not specify more than 1 handler type"));
    } else if (std::string_view(kind) != "exec") {
      append(out, wrong_port_or_name(own + ".port", member(handler, "port")));
    } else if (member(handler, "command").empty()) {
      out.push_back(required_field(own + ".command", ""));
    }
    found = true;
  }
  if (!found) out.push_back(required_field(field, "must specify a handler type"));
  return out;
}

FieldMistakes wrong_probe(const std::string& field, const Object& probe) {
  if (probe.is_null()) return {};
  FieldMistakes out = wrong_handler(field, probe);
  for (const char* name :
       {"initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold"}) {
    const Object& number = member(probe, name);
    if (!number.is_number() || number >= 0) continue;
    out.push_back(invalid_field(field + "." + name, number, "must be greater than or equal to 0"));
  }
  const Object& grace = member(probe, "terminationGracePeriodSeconds");
  if (grace.is_number() && grace <= 0) {
    out.push_back(invalid_field(field + ".terminationGracePeriodSeconds", grace, "must be greater than 0"));
  }
  return out;
}

}  // namespace

FieldMistakes wrong_protocol(const std::string& field, const std::string& protocol) {
  if (protocol.empty()) return {required_field(field, "")};
  if (protocol == "TCP" || protocol == "UDP" || protocol == "SCTP") return {};
  return {unsupported_field(field, protocol, {"SCTP", "TCP", "UDP"})};
}

FieldMistakes wrong_port_number(const std::string& field, const Object& number) {
  const Object own = number.is_null() ? Object(0) : number;
  return is_port(own) ? FieldMistakes() : FieldMistakes{invalid_field(field, own, port_range)};
}

FieldMistakes wrong_port_or_name(const std::string& field, const Object& port) {
  if (port.is_string()) return invalid_field_each(field, port, wrong_port_name(port.get_ref<const std::string&>()));
  return wrong_port_number(field, port);
}

FieldMistakes wrong_container_ports(const std::string& field, const Object& ports) {
  FieldMistakes out;
  std::set<std::string> names;
  std::size_t at = 0;
  for (const Object& port : ports) append(out, wrong_port(field + "[" + std::to_string(at++) + "]", port, names));
  return out;
}

FieldMistakes wrong_environment(const std::string& field, const Object& variables) {
  FieldMistakes out;
  std::size_t at = 0;
  for (const Object& variable : variables) {
    append(out, wrong_variable(field + "[" + std::to_string(at++) + "]", variable));
  }
  return out;
}

FieldMistakes wrong_probes(const std::string& field, const Object& container) {
  FieldMistakes out;
  for (const char* name : {"livenessProbe", "readinessProbe", "startupProbe"}) {
    const Object& probe = member(container, name);
    append(out, wrong_probe(field + "." + name, probe));
    const Object& successes = member(probe, "successThreshold");
    const Object& grace = member(probe, "terminationGracePeriodSeconds");
    const std::string own = field + "." + name;
    if (std::string_view(name) != "readinessProbe") {
      if (successes.is_number() && successes != 1) {
        out.push_back(invalid_field(own + ".successThreshold", successes, "must be 1"));
      }
    } else if (!grace.is_null()) {
      out.push_back(
          invalid_field(own + ".terminationGracePeriodSeconds", grace, "must not be set for readinessProbes"));
    }
  }
  return out;
}

FieldMistakes repeated_host_ports(const Object& containers) {
  FieldMistakes out;
  std::set<std::string> taken;
  std::size_t at = 0;
  for (const Object& container : containers) {
    const std::string field = "spec.containers[" + std::to_string(at++) + "].ports[";
    std::size_t place = 0;
    for (const Object& port : member(container, "ports")) {
      const std::string own = field + std::to_string(place++) + "].hostPort";
      const Object& number = member(port, "hostPort");
      if (number.is_null() || number == 0) continue;
      std::string protocol(text(port, "protocol"));
      if (protocol.empty()) protocol = "TCP";
      const std::string key = protocol + "/" + std::string(text(port, "hostIP")) + "/" + number.dump();
      if (!taken.insert(key).second) out.push_back(duplicate_field(own, key));
    }
  }
  return out;
}

}  // namespace nodebound::validation
