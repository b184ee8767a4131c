#include <array>
#include <cstdint>

#include "fakes/apiserver/resources/registry.h"
#include "fakes/validation/kinds.h"

namespace nodebound::apiserver {
namespace {

using Column = TableColumns::Column;
using Now = const std::string&;

constexpr Column lease_columns[] = {
    name_column,
    {"Holder", [](const Object& o, Now) { return Object(text(o, "spec", "holderIdentity")); }},
    age_column};

// Leases are validated by apimachinery alone.
constexpr std::string_view coordination = "coordination.k8s.io";

}  // namespace

std::span<const Strategy> strategies::leases() {
  static constexpr std::array kinds = {
      Strategy{.group = coordination,
               .resource = "leases",
               .columns = TableColumns(lease_columns),
               .checks = {.object = validation::wrong_lease, .metadata_checks = 3, .any_finalizers = true}},
      Strategy{.group = coordination,
               .resource = "leasecandidates",
               .checks = {.metadata_checks = 3, .any_finalizers = true}},
  };
  return kinds;
}

}  // namespace nodebound::apiserver
