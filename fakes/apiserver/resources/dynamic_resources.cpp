#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "fakes/apiserver/resources/claim_permissions.h"
#include "fakes/apiserver/resources/registry.h"
#include "fakes/apiserver/write/each_item.h"
#include "fakes/apiserver/write/update_strategy.h"
#include "fakes/apiserver/write/write_context.h"
#include "fakes/validation/kinds.h"
#include "reference/encoding/ascii.h"
#include "reference/release/behaviour_ids.h"
#include "reference/release/refusal_text.h"

namespace nodebound::apiserver {
namespace {

validation::FieldMistakes wrong_claim_status(const Object& claim, const Object&) {
  return validation::wrong_resource_claim_status(claim);
}

void count_devices(Object& request) {
  if (text(request, "allocationMode") == "ExactCount" && member(request, "count").is_null()) request["count"] = 1;
}

void decode_claim_spec(Object& spec) {
  if (!member(spec, "devices").is_object()) return;
  each_item(spec["devices"], "requests", [](Object& request) {
    if (member(request, "exactly").is_object()) count_devices(request["exactly"]);
    each_item(request, "firstAvailable", count_devices);
  });
}

void decode_claim(const WriteContext&, Object& claim) {
  if (member(claim, "spec").is_object()) decode_claim_spec(claim["spec"]);
}

void decode_claim_template(const WriteContext&, Object& claim_template) {
  if (member(claim_template, "spec", "spec").is_object()) decode_claim_spec(claim_template["spec"]["spec"]);
}

// Requests of v1alpha3 and v1beta1 are what later ones have in `exactly`.
validation::FieldMistakes wrong_new_claim(const Object& claim) {
  validation::FieldMistakes out;
  const std::string_view version = text(claim, "apiVersion");
  if (version == "resource.k8s.io/v1alpha3" || version == "resource.k8s.io/v1beta1") return out;
  std::size_t at = 0;
  for (const Object& request : member(claim, "spec", "devices", "requests")) {
    const std::string field = "spec.devices.requests[" + std::to_string(at++) + "]";
    const bool exact = !member(request, "exactly").is_null();
    const bool first = !member(request, "firstAvailable").empty();
    const std::string one = "exactly one of `exactly` or `firstAvailable` is required";
    if (!exact && !first) out.push_back(validation::required_field(field, one));
    if (exact && first) out.push_back(validation::invalid_field(field, nullptr, one + ", but multiple fields are set"));
  }
  return out;
}

// pkg/registry/resource/resourceclaim/strategy.go
void drop_disabled_of_claim(const WriteContext& write, const Object& before, Object& claim) {
  if (write.resource.release->is_on("DRAResourceClaimDeviceStatus")) return;
  if (!member(before, "status", "devices").empty() || !member(claim, "status").is_object()) return;
  claim["status"].erase("devices");
}

void decode_slice(const WriteContext& write, Object& slice) {
  if (!write.defaults.does(Behaviour::devices_of_slices_always_told) || !member(slice, "spec").is_object()) return;
  if (!slice["spec"].contains("devices")) slice["spec"]["devices"] = nullptr;
}

// Slices of v1alpha2 have no spec.
void start_generation_of_slice(const WriteContext& write, Object& slice) {
  if (write.resource.version != "v1alpha2") slice["metadata"]["generation"] = 1;
}

std::vector<std::string> warnings_of_slice(const WriteContext& write, const Object&, const Object& slice) {
  const std::string driver(text(slice, "spec", "driver"));
  if (in_lower_case(driver) == driver || !write.defaults.does(Behaviour::driver_case_warned)) return {};
  return {"spec.driver: driver names should be lowercase; " + go_quoted(driver) + " contains uppercase characters"};
}

constexpr std::array resource_claim_subresources = {
    SubresourceStrategy{.name = "status",
                        .prepared = prepared_status,
                        .checks = {.change = wrong_claim_status},
                        .unauthorized_change = unauthorized_claim_change},
};

}  // namespace

std::span<const Strategy> strategies::dynamic_resources() {
  static constexpr std::array kinds = {
      Strategy{.group = "resource.k8s.io",
               .resource = "resourceclaims",
               .subresources = resource_claim_subresources,
               .decode = decode_claim,
               .drop_disabled = drop_disabled_of_claim,
               .checks = {.created = wrong_new_claim, .change = validation::wrong_resource_claim_change}},
      Strategy{.group = "resource.k8s.io",
               .resource = "resourceclaimtemplates",
               .decode = decode_claim_template,
               .checks = {.change = validation::wrong_resource_claim_template_change}},
      Strategy{.group = "resource.k8s.io",
               .resource = "resourceslices",
               .decode = decode_slice,
               .checks = {.in_release = validation::wrong_slice,
                          .change_in_release = validation::wrong_slice_change,
                          .whole_on_change = false,
                          .metadata_checks = 3},
               .warnings = warnings_of_slice,
               .prepare_for_create = start_generation_of_slice},
      Strategy{
          .group = "resource.k8s.io", .resource = "deviceclasses", .prepare_for_create = start_generation_of_slice},
  };
  return kinds;
}

}  // namespace nodebound::apiserver
