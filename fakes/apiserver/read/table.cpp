#include "fakes/apiserver/read/table.h"

#include <cstdint>
#include <optional>

#include "fakes/apiserver/read/other_tables.h"
#include "fakes/wire/timestamp.h"

namespace nodebound {
namespace {

using Column = TableColumns::Column;

/// The time at which the table is made.
using Now = const std::string&;

Object or_none(std::string_view value, const char* none = "<none>") {
  return value.empty() ? Object(none) : Object(value);
}

Object name_of(const Object& object, Now) {
  return member(object, "metadata", "name");
}

Object age_of(const Object& object, Now now) {
  return age_between(text(object, "metadata", "creationTimestamp"), now);
}

constexpr Column name_column = {"Name", name_of, 0, "string", "name"};
constexpr Column age_column = {"Age", age_of};

// pods ---------------------------------------------------------------------------------------------------------------

Object ready_containers(const Object& pod, Now) {
  int ready = 0;
  for (const Object& status : member(pod, "status", "containerStatuses")) ready += is_true(status, "ready") ? 1 : 0;
  return std::to_string(ready) + "/" + std::to_string(member(pod, "spec", "containers").size());
}

// The reason why the last container waits or has ended, or else the phase.
Object pod_status(const Object& pod, Now) {
  std::string reason(text(pod, "status", "phase"));
  if (!text(pod, "status", "reason").empty()) reason = text(pod, "status", "reason");
  for (const Object& status : member(pod, "status", "containerStatuses")) {
    const std::string_view waiting = text(status, "state", "waiting", "reason");
    const std::string_view ended = text(status, "state", "terminated", "reason");
    if (!waiting.empty()) reason = waiting;
    if (waiting.empty() && !ended.empty()) reason = ended;
  }
  if (text(pod, "metadata", "deletionTimestamp").empty()) return reason;
  return text(pod, "status", "reason") == "NodeLost" ? "Unknown" : "Terminating";
}

Object restarts(const Object& pod, Now) {
  std::int64_t count = 0;
  for (const Object& status : member(pod, "status", "containerStatuses")) {
    const Object& own = member(status, "restartCount");
    if (own.is_number_integer()) count += own.get<std::int64_t>();
  }
  return std::to_string(count);
}

Object readiness_gates(const Object& pod, Now) {
  const Object& gates = member(pod, "spec", "readinessGates");
  if (gates.empty()) return "<none>";
  int met = 0;
  for (const Object& gate : gates) {
    for (const Object& condition : member(pod, "status", "conditions")) {
      if (text(condition, "type") == text(gate, "conditionType")) met += text(condition, "status") == "True" ? 1 : 0;
    }
  }
  return std::to_string(met) + "/" + std::to_string(gates.size());
}

constexpr Column pod_columns[] = {
    name_column,
    {"Ready", ready_containers},
    {"Status", pod_status},
    {"Restarts", restarts},
    age_column,
    {"IP", [](const Object& o, Now) { return or_none(text(o, "status", "podIP")); }, 1},
    {"Node", [](const Object& o, Now) { return or_none(text(o, "spec", "nodeName")); }, 1},
    {"Nominated Node", [](const Object& o, Now) { return or_none(text(o, "status", "nominatedNodeName")); }, 1},
    {"Readiness Gates", readiness_gates, 1}};

// nodes --------------------------------------------------------------------------------------------------------------

Object node_status(const Object& node, Now) {
  std::string out = "Unknown";
  for (const Object& condition : member(node, "status", "conditions")) {
    if (text(condition, "type") == "Ready") out = text(condition, "status") == "True" ? "Ready" : "NotReady";
  }
  if (is_true(node, "spec", "unschedulable")) out += ",SchedulingDisabled";
  return out;
}

Object node_roles(const Object& node, Now) {
  constexpr std::string_view prefix = "node-role.kubernetes.io/";
  std::string roles;
  const Object& labels = member(node, "metadata", "labels");
  if (!labels.is_object()) return "<none>";
  for (const auto& [key, value] : labels.items()) {
    std::string role;
    if (key.starts_with(prefix)) role = key.substr(prefix.size());
    if (key == "kubernetes.io/role" && value.is_string()) role = value.get<std::string>();
    if (!role.empty()) roles += (roles.empty() ? "" : ",") + role;
  }
  return roles.empty() ? "<none>" : roles;
}

std::string node_address(const Object& node, std::string_view type) {
  for (const Object& address : member(node, "status", "addresses")) {
    if (text(address, "type") == type) return std::string(text(address, "address"));
  }
  return "<none>";
}

Object node_info(const Object& node, std::string_view field, const char* none) {
  return or_none(text(node, "status", "nodeInfo", field), none);
}

constexpr Column node_columns[] = {
    name_column,
    {"Status", node_status},
    {"Roles", node_roles},
    age_column,
    {"Version", [](const Object& o, Now) { return node_info(o, "kubeletVersion", ""); }},
    {"Internal-IP", [](const Object& o, Now) { return Object(node_address(o, "InternalIP")); }, 1},
    {"External-IP", [](const Object& o, Now) { return Object(node_address(o, "ExternalIP")); }, 1},
    {"OS-Image", [](const Object& o, Now) { return node_info(o, "osImage", "<unknown>"); }, 1},
    {"Kernel-Version", [](const Object& o, Now) { return node_info(o, "kernelVersion", "<unknown>"); }, 1},
    {"Container-Runtime", [](const Object& o, Now) { return node_info(o, "containerRuntimeVersion", "<unknown>"); },
     1}};

// services -----------------------------------------------------------------------------------------------------------

Object service_ports(const Object& service, Now) {
  std::string out;
  for (const Object& port : member(service, "spec", "ports")) {
    const Object& number = member(port, "port");
    const Object& node_port = member(port, "nodePort");
    const std::string_view protocol = text(port, "protocol");
    out += (out.empty() ? "" : ",") + (number.is_number() ? number.dump() : "") +
           (node_port.is_number_integer() && node_port != 0 ? ":" + node_port.dump() : "") + "/" +
           std::string(protocol.empty() ? "TCP" : protocol);
  }
  return out.empty() ? "<none>" : out;
}

std::string key_values(const Object& map) {
  std::string out;
  if (!map.is_object()) return "<none>";
  for (const auto& [key, value] : map.items()) {
    if (value.is_string()) out += (out.empty() ? "" : ",") + key + "=" + value.get<std::string>();
  }
  return out.empty() ? "<none>" : out;
}

Object external_address(const Object& service, Now) {
  if (text(service, "spec", "type") == "ExternalName") return or_none(text(service, "spec", "externalName"));
  std::string out;
  for (const Object& ingress : member(service, "status", "loadBalancer", "ingress")) {
    const std::string_view own = text(ingress, "ip").empty() ? text(ingress, "hostname") : text(ingress, "ip");
    out += (out.empty() ? "" : ",") + std::string(own);
  }
  for (const Object& address : member(service, "spec", "externalIPs")) {
    if (address.is_string()) out += (out.empty() ? "" : ",") + address.get<std::string>();
  }
  if (out.empty() && text(service, "spec", "type") == "LoadBalancer") return "<pending>";
  return or_none(out);
}

constexpr Column service_columns[] = {
    name_column,
    {"Type", [](const Object& o, Now) { return or_none(text(o, "spec", "type")); }},
    {"Cluster-IP", [](const Object& o, Now) { return or_none(text(o, "spec", "clusterIP")); }},
    {"External-IP", external_address},
    {"Port(s)", service_ports},
    age_column,
    {"Selector", [](const Object& o, Now) { return Object(key_values(member(o, "spec", "selector"))); }, 1}};

// others -------------------------------------------------------------------------------------------------------------

constexpr Column secret_columns[] = {name_column,
                                     {"Type", [](const Object& o, Now) { return or_none(text(o, "type"), "Opaque"); }},
                                     {"Data", [](const Object& o, Now) { return Object(member(o, "data").size()); }},
                                     age_column};

constexpr Column configmap_columns[] = {
    name_column,
    {"Data", [](const Object& o, Now) { return Object(member(o, "data").size() + member(o, "binaryData").size()); }},
    age_column};

constexpr Column namespace_columns[] = {
    name_column,
    {"Status", [](const Object& o, Now) { return or_none(text(o, "status", "phase"), "Active"); }},
    age_column};

constexpr Column lease_columns[] = {
    name_column,
    {"Holder", [](const Object& o, Now) { return Object(text(o, "spec", "holderIdentity")); }},
    age_column};

// Roles are the only kind shown with a creation time in place of an age.
constexpr Column role_columns[] = {
    name_column,
    {"Created At", [](const Object& o, Now) { return member(o, "metadata", "creationTimestamp"); }, 0, "date"}};

constexpr Column other_columns[] = {name_column, age_column};

struct KnownTable {
  std::string_view group;
  std::string_view resource;
  TableColumns columns;
};

constexpr KnownTable known_tables[] = {{"", "pods", TableColumns(pod_columns)},
                                       {"", "nodes", TableColumns(node_columns)},
                                       {"", "services", TableColumns(service_columns)},
                                       {"", "secrets", TableColumns(secret_columns)},
                                       {"", "configmaps", TableColumns(configmap_columns)},
                                       {"", "namespaces", TableColumns(namespace_columns)},
                                       {"coordination.k8s.io", "leases", TableColumns(lease_columns)},
                                       {"rbac.authorization.k8s.io", "roles", TableColumns(role_columns)},
                                       {"rbac.authorization.k8s.io", "clusterroles", TableColumns(role_columns)}};

}  // namespace

Object TableColumns::definitions() const {
  Object out = Object::array();
  for (const Column& column : columns_) {
    if (!shows(column)) continue;
    out.push_back({{"name", column.name},
                   {"type", column.type},
                   {"format", column.format},
                   {"description", ""},
                   {"priority", column.priority}});
  }
  return out;
}

Object TableColumns::cells(const Object& object, const std::string& now) const {
  Object out = Object::array();
  for (const Column& column : columns_) {
    if (shows(column)) out.push_back(column.cell(object, now));
  }
  return out;
}

TableColumns columns_of(const ApiResource& resource) {
  for (const KnownTable& table : known_tables) {
    if (table.group == resource.group && table.resource == resource.resource)
      return table.columns.of(*resource.release);
  }
  return other_columns_of(resource).value_or(TableColumns(other_columns)).of(*resource.release);
}

std::string age_between(std::string_view since, std::string_view now) {
  const std::optional<std::int64_t> begin = seconds_of(since);
  const std::optional<std::int64_t> end = seconds_of(now);
  return begin && end ? elapsed(*end - *begin) : "<unknown>";
}

// As apimachinery's duration.HumanDuration.
std::string elapsed(std::int64_t seconds) {
  const auto two = [](std::int64_t big, const char* unit, std::int64_t small, const char* small_unit) {
    return std::to_string(big) + unit + (small == 0 ? "" : std::to_string(small) + small_unit);
  };
  if (seconds < -1) return "<invalid>";
  if (seconds < 0) return "0s";
  const std::int64_t minutes = seconds / 60;
  const std::int64_t hours = minutes / 60;
  const std::int64_t days = hours / 24;
  if (seconds < 120) return std::to_string(seconds) + "s";
  if (minutes < 10) return two(minutes, "m", seconds % 60, "s");
  if (minutes < 180) return std::to_string(minutes) + "m";
  if (hours < 8) return two(hours, "h", minutes % 60, "m");
  if (hours < 48) return std::to_string(hours) + "h";
  if (hours < 192) return two(days, "d", hours % 24, "h");
  constexpr std::int64_t year = 365;
  if (days < 2 * year) return std::to_string(days) + "d";
  if (days < 8 * year) return two(days / year, "y", days % year, "d");
  return std::to_string(days / year) + "y";
}

}  // namespace nodebound
