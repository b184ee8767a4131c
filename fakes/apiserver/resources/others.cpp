#include <array>

#include "fakes/apiserver/resources/registry.h"
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
      Strategy{.resource = "limitranges", .checks = {.metadata_checks = 3}},
      Strategy{.resource = "resourcequotas", .checks = {.metadata_checks = 3}},
      Strategy{.resource = "podtemplates", .checks = {.metadata_checks = 3}},
      Strategy{.group = "networking.k8s.io", .resource = "networkpolicies", .checks = {.metadata_checks = 3}},
      Strategy{.group = "discovery.k8s.io", .resource = "endpointslices", .checks = {.metadata_checks = 3}},
  };
  return kinds;
}

}  // namespace nodebound::apiserver
