#include <array>

#include "fakes/apiserver/resources/registry.h"
#include "fakes/apiserver/write/each_item.h"
#include "reference/release/behaviour_ids.h"

namespace nodebound::apiserver {
namespace {

using Column = TableColumns::Column;
using Now = const std::string&;

constexpr Column priority_class_columns[] = {
    name_column,
    {"Value", [](const Object& o, Now) { return member(o, "value"); }, 0, "integer"},
    {"Global-Default", [](const Object& o, Now) { return Object(is_true(o, "globalDefault")); }, 0, "boolean"},
    age_column,
    {"PreemptionPolicy", [](const Object& o, Now) { return Object(text(o, "preemptionPolicy")); }, 0, "string", "",
     Behaviour::column_preemption_policy}};

constexpr Column runtime_class_columns[] = {
    name_column, {"Handler", [](const Object& o, Now) { return Object(text(o, "handler")); }}, age_column};

// A container's default limits are its greatest ones, its default requests its default limits or its least requests
// (SetDefaults_LimitRangeItem in pkg/apis/core/v1/defaults.go).
void decode_limit_range(const WriteContext&, Object& object) {
  if (!member(object, "spec").is_object()) return;
  each_item(object["spec"], "limits", [](Object& limits) {
    if (text(limits, "type") != "Container") return;
    const auto fill = [&](const char* field, const char* from) {
      const Object given = member(limits, from);
      for (const auto& [resource, amount] : given.items()) limits[field].emplace(resource, amount);
    };
    fill("default", "max");
    fill("defaultRequest", "default");
    fill("defaultRequest", "min");
  });
}

// pkg/apis/networking/v1/defaults.go
void decode_network_policy(const WriteContext&, Object& object) {
  if (!member(object, "spec").is_object() || !member(object, "spec", "policyTypes").empty()) return;
  Object& types = object["spec"]["policyTypes"] = {"Ingress"};
  if (!member(object, "spec", "egress").empty()) types.emplace_back("Egress");
}

bool changed_endpoints(const Object& before, const Object& after) {
  const auto changed = [&](const char* field) { return member(before, field) != member(after, field); };
  return changed("addressType") || changed("endpoints") || changed("ports") ||
         member(before, "metadata", "labels") != member(after, "metadata", "labels");
}

}  // namespace

// Kinds that are only shown in columns of their own, or whose metadata alone is checked otherwise.
std::span<const Strategy> strategies::others() {
  static constexpr std::array kinds = {
      Strategy{.group = "scheduling.k8s.io",
               .resource = "priorityclasses",
               .columns = TableColumns(priority_class_columns),
               .checks = {.metadata_checks = 3}},
      Strategy{.group = "node.k8s.io",
               .resource = "runtimeclasses",
               .columns = TableColumns(runtime_class_columns),
               .checks = {.any_finalizers = true}},
      Strategy{.group = "policy",
               .resource = "poddisruptionbudgets",
               .checks = {.metadata = false, .metadata_checks = 2, .any_finalizers = true}},
      Strategy{.resource = "limitranges", .decode = decode_limit_range, .checks = {.metadata_checks = 3}},
      Strategy{.resource = "resourcequotas", .checks = {.metadata_checks = 3}},
      Strategy{.group = "networking.k8s.io",
               .resource = "networkpolicies",
               .decode = decode_network_policy,
               .checks = {.metadata_checks = 3}},
      Strategy{.group = "discovery.k8s.io",
               .resource = "endpointslices",
               .checks = {.metadata_checks = 3},
               .new_generation = changed_endpoints},
  };
  return kinds;
}

}  // namespace nodebound::apiserver
