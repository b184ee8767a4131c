#include <algorithm>
#include <array>

#include "fakes/apiserver/call.h"
#include "fakes/apiserver/resources/kubelet_location.h"
#include "fakes/apiserver/resources/registry.h"
#include "fakes/apiserver/status.h"
#include "fakes/apiserver/write/update_strategy.h"
#include "fakes/apiserver/write/write_context.h"
#include "fakes/validation/kinds.h"
#include "reference/release/behaviour_ids.h"

namespace nodebound::apiserver {
namespace {

using Column = TableColumns::Column;
using Now = const std::string&;

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
  return text_cell(text(node, "status", "nodeInfo", field), none);
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

// writes -------------------------------------------------------------------------------------------------------------

// podCIDR is the first of podCIDRs, and goes before it if they differ (core's v1/conversion.go).
void decode_pod_cidrs(Object& node) {
  const std::string one(text(node, "spec", "podCIDR"));
  const std::vector<std::string> all = strings_of(member(node, "spec", "podCIDRs"));
  if (one.empty() && all.empty()) return;
  if (one.empty()) {
    node["spec"]["podCIDR"] = all.front();
  } else if (all.empty() || all.front() != one) {
    node["spec"]["podCIDRs"] = {one};
  }
}

std::vector<std::string> warnings_of_node(const WriteContext& write, const Object&, const Object& node) {
  std::vector<std::string> out;
  if (!member(node, "spec", "configSource").is_null()) {
    if (write.defaults.does(Behaviour::config_source_deprecated))
      out.emplace_back("spec.configSource: deprecated in v1.22, support removal is planned in v1.23");
    if (write.defaults.does(Behaviour::config_source_removed))
      out.emplace_back("spec.configSource: the feature is removed");
  }
  if (!text(node, "spec", "externalID").empty() && write.defaults.does(Behaviour::external_id_warned_of))
    out.emplace_back("spec.externalID: this field is deprecated, and is unused by Kubernetes");
  if (!write.defaults.does(Behaviour::addresses_warned_of)) return out;
  std::size_t at = 0;
  for (const std::string& cidr : strings_of(member(node, "spec", "podCIDRs"))) {
    const std::string field = "spec.podCIDRs[" + std::to_string(at++) + "]";
    for (std::string& one : validation::warnings_of_cidr(field, cidr)) out.push_back(std::move(one));
  }
  return out;
}

void decode_node(const WriteContext& write, Object& node) {
  if (write.defaults.does(Behaviour::pod_cidrs)) decode_pod_cidrs(node);
  const Object& capacity = member(node, "status", "capacity");
  if (capacity.is_object() && !node["status"].contains("allocatable")) {
    node["status"]["allocatable"] = Object(capacity);
  }
}

// The plugin TaintNodesByCondition.
constexpr const char* not_ready = "node.kubernetes.io/not-ready";

bool is_not_ready(const Object& taint) {
  return text(taint, "key") == not_ready && text(taint, "effect") == "NoSchedule";
}

void taint_as_not_ready(Object& node) {
  const Object& taints = member(node, "spec", "taints");
  if (std::any_of(taints.begin(), taints.end(), is_not_ready)) return;
  node["spec"]["taints"].push_back({{"key", not_ready}, {"effect", "NoSchedule"}});
}

std::optional<HttpResponse> taint_new_node(const WriteContext& write, Object& node) {
  if (write.defaults.does(Behaviour::not_ready_taint)) taint_as_not_ready(node);
  return std::nullopt;
}

// Exactly the taints that the plugin gives a new Node.
FieldSet first_taints(const Object& node) {
  const Object& taints = member(node, "spec", "taints");
  if (taints.size() != 1 || !is_not_ready(taints.front())) return {};
  return {{"f:spec", "f:taints"}};
}

void drop_config_source(const WriteContext& write, const Object& before, Object& node) {
  const bool configured = !member(before, "spec", "configSource").is_null();
  if (configured || write.defaults.does(Behaviour::config_source) || !member(node, "spec").is_object()) return;
  node["spec"].erase("configSource");
}

// connections --------------------------------------------------------------------------------------------------------

// ResourceLocation in pkg/registry/core/node/strategy.go
std::optional<HttpResponse> proxy_node(const ServerState& server, const Call& call, const Object& node) {
  const ProxiedName named = proxied_name(call.attributes.name).value();
  auto to = kubelet_of(server, text(node, "metadata", "name"));
  if (!to) return to.error();
  to->global_only = true;
  if (!named.port.empty() && named.port != to->port) {
    to->kubelet = false;
    to->tls = named.scheme == "https";
    to->port = named.port;
  }
  return passed_on_by_path(call, bad_request("Upgrade request required"), std::move(*to));
}

constexpr std::array node_subresources = {
    SubresourceStrategy{
        .name = "status", .prepared = prepared_status, .checks = {.change_in_release = validation::wrong_node_change}},
    SubresourceStrategy{.name = "proxy", .connect = proxy_node, .named_with_port = true},
};

}  // namespace

std::span<const Strategy> strategies::nodes() {
  static constexpr std::array kinds = {Strategy{
      .resource = "nodes",
      .stored_under = "minions",
      .columns = TableColumns(node_columns),
      .subresources = node_subresources,
      .decode = decode_node,
      .admit = taint_new_node,
      .drop_disabled = drop_config_source,
      .checks = {.object = validation::wrong_node,
                 .in_release = validation::wrong_pod_cidrs,
                 .change_in_release = validation::wrong_node_change},
      .warnings = warnings_of_node,
      .unwritten = first_taints,
  }};
  return kinds;
}

}  // namespace nodebound::apiserver
