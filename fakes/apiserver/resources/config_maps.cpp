#include <array>

#include "fakes/apiserver/resources/registry.h"
#include "fakes/validation/kinds.h"

namespace nodebound::apiserver {
namespace {

using Column = TableColumns::Column;
using Now = const std::string&;

constexpr Column configmap_columns[] = {
    name_column,
    {"Data", [](const Object& o, Now) { return Object(member(o, "data").size() + member(o, "binaryData").size()); }},
    age_column};

}  // namespace

std::span<const Strategy> strategies::config_maps() {
  static constexpr std::array kinds = {Strategy{
      .resource = "configmaps",
      .columns = TableColumns(configmap_columns),
      .checks = {.object = validation::wrong_config_map, .change = validation::wrong_config_map_change},
  }};
  return kinds;
}

}  // namespace nodebound::apiserver
