#include <array>

#include "fakes/apiserver/resources/registry.h"

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

// Kinds that are only shown in columns of their own.
std::span<const Strategy> strategies::others() {
  static constexpr std::array kinds = {
      Strategy{
          .group = "scheduling.k8s.io", .resource = "priorityclasses", .columns = TableColumns(priority_class_columns)},
      Strategy{.group = "node.k8s.io", .resource = "runtimeclasses", .columns = TableColumns(runtime_class_columns)},
  };
  return kinds;
}

}  // namespace nodebound::apiserver
