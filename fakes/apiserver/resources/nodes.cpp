#include <algorithm>
#include <array>
#include <iterator>

#include "fakes/apiserver/call.h"
#include "fakes/apiserver/resources/kubelet_location.h"
#include "fakes/apiserver/resources/registry.h"
#include "fakes/apiserver/status.h"
#include "fakes/apiserver/write/update_strategy.h"
#include "fakes/apiserver/write/write_context.h"
#include "fakes/validation/kinds.h"
#include "fakes/wire/go/go_types.h"
#include "fakes/wire/go/json.h"
#include "reference/encoding/ascii.h"
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
  std::vector<std::string> of_cidrs =
      validation::warnings_of_cidrs("spec.podCIDRs", member(node, "spec", "podCIDRs"), *write.resource.release);
  std::ranges::move(of_cidrs, std::back_inserter(out));
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

using FieldPath = nlohmann::json_pointer<std::string>;

struct GatedField {
  Behaviour behaviour;
  const char* path;
};

// A Node that has such a field already keeps it.
void drop_disabled(const WriteContext& write, const Object& before, Object& node, std::span<const GatedField> fields) {
  for (const auto& [behaviour, path] : fields) {
    if (write.defaults.does(behaviour)) continue;
    const FieldPath field(path);
    if (node.contains(field) && !before.contains(field)) node[field.parent_pointer()].erase(field.back());
  }
}

constexpr std::array fields_of_specs = {GatedField{Behaviour::config_source, "/spec/configSource"},
                                        GatedField{Behaviour::pod_preemption_policy, "/spec/podPreemptionPolicy"}};
constexpr std::array fields_of_new_nodes = {
    GatedField{Behaviour::config_source, "/status/config"},
    GatedField{Behaviour::node_runtime_handlers, "/status/runtimeHandlers"},
    GatedField{Behaviour::features_of_new_node, "/status/features"},
    GatedField{Behaviour::declared_features_of_new_node, "/status/declaredFeatures"}};
constexpr std::array fields_of_statuses = {
    GatedField{Behaviour::config_source, "/status/config"},
    GatedField{Behaviour::node_in_user_namespace, "/status/nodeInfo/runningInUserNamespace"}};
constexpr std::array fields_of_no_update = {GatedField{Behaviour::node_runtime_handlers, "/status/runtimeHandlers"}};

void drop_disabled_fields(const WriteContext& write, const Object& before, Object& node) {
  drop_disabled(write, before, node, fields_of_specs);
  if (before.is_null()) drop_disabled(write, before, node, fields_of_new_nodes);
}

// An update of a Node keeps its status but for this field.
void drop_runtime_handlers(const WriteContext& write, const Object&, Object& submitted) {
  drop_disabled(write, Object(), submitted, fields_of_no_update);
}

Object prepared_node_status(const WriteContext& write, const Object& before, Object submitted) {
  submitted = prepared_status(write, before, std::move(submitted));
  drop_disabled(write, before, submitted, fields_of_statuses);
  return submitted;
}

// The taints and the pods to avoid were annotations once, which are still validated (ValidateNodeSpecificAnnotations in
// pkg/apis/core/validation/validation.go).
constexpr std::string_view taints_annotation = "scheduler.alpha.kubernetes.io/taints";
constexpr std::string_view avoid_pods_annotation = "scheduler.alpha.kubernetes.io/preferAvoidPods";

/// With the names of fields in lower case, down to those of the deepest object of an annotation.
Object with_folded_names(Object value, int depth = 5) {
  if (depth == 0) return value;
  if (value.is_array()) {
    for (Object& each : value) each = with_folded_names(std::move(each), depth - 1);
  }
  if (!value.is_object()) return value;
  Object out = Object::object();
  for (auto& [name, field] : value.items()) out[in_lower_case(name)] = with_folded_names(std::move(field), depth - 1);
  return out;
}

/// A JSON text as Go reads it: names of fields count in any case. The error is Go's.
tl::expected<Object, std::string> read_by_go(std::string_view text) {
  return read_json(text).map([](Object value) { return with_folded_names(std::move(value)); });
}

/// Why Go does not read this as a list of that type; nothing if it does.
std::optional<std::string> no_list(const Object& list, const std::string& place, const std::string& type) {
  if (list.is_null()) return std::nullopt;
  if (!list.is_array()) return cannot_unmarshal(list, place + " of type []" + type);
  for (const Object& each : list) {
    if (!each.is_object() && !each.is_null()) return cannot_unmarshal(each, place + " of type " + type);
  }
  return std::nullopt;
}

std::optional<std::string> no_taints(const Object& taints) {
  static constexpr std::array<std::array<const char*, 3>, 3> texts = {
      {{"key", "Key", "string"}, {"value", "Value", "string"}, {"effect", "Effect", "core.TaintEffect"}}};
  if (auto why = no_list(taints, "value", "core.Taint")) return why;
  for (const Object& taint : taints) {
    for (const auto& [name, field, type] : texts) {
      const Object& value = member(taint, name);
      if (!value.is_null() && !value.is_string()) {
        return cannot_unmarshal(value, std::string("struct field Taint.") + field + " of type " + type);
      }
    }
  }
  return std::nullopt;
}

std::optional<std::string> no_pods_to_avoid(const Object& avoided) {
  if (!avoided.is_object() && !avoided.is_null()) return cannot_unmarshal(avoided, "value of type v1.AvoidPods");
  return no_list(member(avoided, "preferavoidpods"), "struct field AvoidPods.preferAvoidPods",
                 "v1.PreferAvoidPodsEntry");
}

validation::FieldMistakes wrong_taints_annotation(std::string_view text) {
  const auto taints = read_by_go(text);
  const std::optional<std::string> why = taints ? no_taints(*taints) : taints.error();
  if (why) return {validation::invalid_field("metadata.annotations", taints_annotation, *why)};
  return validation::wrong_taints("metadata.annotations." + std::string(taints_annotation), *taints);
}

validation::FieldMistakes wrong_avoid_pods_annotation(std::string_view text) {
  const auto avoided = read_by_go(text);
  const std::optional<std::string> why = avoided ? no_pods_to_avoid(*avoided) : avoided.error();
  if (why) return {validation::invalid_field("metadata.annotations.AvoidPods", avoid_pods_annotation, *why)};
  validation::FieldMistakes out;
  std::size_t at = 0;
  for (const Object& entry : member(*avoided, "preferavoidpods")) {
    const std::string field =
        "metadata.annotations." + std::string(avoid_pods_annotation) + "[" + std::to_string(at++) + "].PodSignature";
    const Object& controller = member(entry, "podsignature", "podcontroller");
    if (controller.is_null()) {
      out.push_back(validation::required_field(field, ""));
    } else if (!is_true(controller, "controller")) {
      out.push_back(
          validation::invalid_field(field + ".PodController.Controller", false, "must point to a controller"));
    }
  }
  return out;
}

validation::FieldMistakes wrong_annotations(const Object& node) {
  validation::FieldMistakes out;
  const Object& annotations = member(node, "metadata", "annotations");
  if (const std::string_view taints = text(annotations, taints_annotation); !taints.empty()) {
    out = wrong_taints_annotation(taints);
  }
  if (const std::string_view avoided = text(annotations, avoid_pods_annotation); !avoided.empty()) {
    validation::append(out, wrong_avoid_pods_annotation(avoided));
  }
  return out;
}

validation::FieldMistakes wrong_node(const Object& node) {
  validation::FieldMistakes out = wrong_annotations(node);
  validation::append(out, validation::wrong_node(node));
  return out;
}

validation::FieldMistakes wrong_node_change(const Object& node, const Object& before, const Release& release) {
  validation::FieldMistakes out = wrong_annotations(node);
  validation::append(out, validation::wrong_node_change(node, before, release));
  return out;
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
        .name = "status", .prepared = prepared_node_status, .checks = {.change_in_release = wrong_node_change}},
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
      .drop_disabled = drop_disabled_fields,
      .checks = {.object = wrong_node,
                 .in_release = validation::wrong_pod_cidrs,
                 .created_in_release = validation::wrong_new_node,
                 .change_in_release = wrong_node_change},
      .warnings = warnings_of_node,
      .prepare_for_update = drop_runtime_handlers,
      .unwritten = first_taints,
  }};
  return kinds;
}

}  // namespace nodebound::apiserver
