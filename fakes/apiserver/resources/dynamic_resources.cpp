#include <array>

#include "fakes/apiserver/resources/claim_permissions.h"
#include "fakes/apiserver/resources/registry.h"
#include "fakes/apiserver/write/update_strategy.h"
#include "fakes/validation/kinds.h"

namespace nodebound::apiserver {
namespace {

validation::FieldMistakes wrong_claim_status(const Object& claim, const Object&) {
  return validation::wrong_resource_claim_status(claim);
}

// pkg/registry/resource/resourceclaim/strategy.go
void drop_disabled_of_claim(const WriteContext& write, const Object& before, Object& claim) {
  if (write.resource.release->is_on("DRAResourceClaimDeviceStatus")) return;
  if (!member(before, "status", "devices").empty() || !member(claim, "status").is_object()) return;
  claim["status"].erase("devices");
}

constexpr std::array resource_claim_subresources = {
    SubresourceStrategy{.name = "status",
                        .prepared = prepared_status,
                        .wrong_change = wrong_claim_status,
                        .unauthorized_change = unauthorized_claim_change},
};

}  // namespace

std::span<const Strategy> strategies::dynamic_resources() {
  static constexpr std::array kinds = {
      Strategy{.group = "resource.k8s.io",
               .resource = "resourceclaims",
               .subresources = resource_claim_subresources,
               .drop_disabled = drop_disabled_of_claim},
      Strategy{.group = "resource.k8s.io",
               .resource = "resourceslices",
               .checks = {.object = validation::wrong_slice,
                          .change = validation::wrong_slice_change,
                          .whole_on_change = false}},
  };
  return kinds;
}

}  // namespace nodebound::apiserver
