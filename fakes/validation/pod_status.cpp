#include <algorithm>
#include <set>

#include "fakes/validation/kinds.h"
#include "reference/cluster/names.h"

// pkg/apis/core/validation/validation.go, for the status of pods.

namespace nodebound::validation {
namespace {

constexpr const char* extended_claim = "status.extendedResourceClaimStatus";

const Object* container_named(const Object& pod, std::string_view name) {
  for (const char* list : {"containers", "initContainers"}) {
    for (const Object& container : member(pod, "spec", list)) {
      if (text(container, "name") == name) return &container;
    }
  }
  return nullptr;
}

FieldMistakes wrong_mapping(const Object& pod, const Object& mapping, const std::string& field) {
  FieldMistakes out;
  const std::string container(text(mapping, "containerName"));
  const std::string resource(text(mapping, "resourceName"));
  const Object* of = container_named(pod, container);
  if (of == nullptr) {
    out.push_back(invalid_field(field + ".containerName", container,
                                "must match the name of an entry in spec.initContainers.name or spec.containers.name"));
  } else if (member(*of, "resources", "requests", resource).is_null()) {
    out.push_back(invalid_field(field + ".resourceName", resource,
                                "must match the extended resource name of an entry in "
                                "spec.initContainers.resources.requests or spec.containers.resources.requests"));
  }
  const std::string request(text(mapping, "requestName"));
  append(out,
         invalid_field_each(std::string(extended_claim) + ".requestName", Shown(request), wrong_dns_label(request)));
  return out;
}

// As of 1.34 (validatePodExtendedResourceClaimStatus in pkg/apis/core/validation/validation.go).
FieldMistakes wrong_extended_claim(const Object& pod) {
  const Object& status = member(pod, "status", "extendedResourceClaimStatus");
  if (!status.is_object()) return {};
  FieldMistakes out;
  const std::string field = std::string(extended_claim) + ".requestMappings";
  const Object& mappings = member(status, "requestMappings");
  if (mappings.empty()) out.push_back(required_field(field, "at least one request mapping is required"));
  std::set<Object> seen;
  std::size_t at = 0;
  for (const Object& mapping : mappings) {
    const std::string place = field + "[" + std::to_string(at++) + "]";
    append(out, wrong_mapping(pod, mapping, place));
    if (seen.insert(mapping).second) continue;
    for (const char* name : {"containerName", "resourceName", "requestName"}) {
      out.push_back(duplicate_field(place + "." + name, Shown(text(mapping, name))));
    }
  }
  const std::string claim(text(status, "resourceClaimName"));
  if (claim.empty()) out.push_back(required_field(std::string(extended_claim) + ".resourceClaimName", ""));
  if (!claim.empty()) {
    append(out, invalid_field_each(std::string(extended_claim) + ".resourceClaimName", Shown(claim),
                                   wrong_dns_subdomain(claim)));
  }
  return out;
}

}  // namespace

FieldMistakes wrong_pod_status_change(const Object& pod, const Object&) {
  FieldMistakes out;
  const Object& claims = member(pod, "spec", "resourceClaims");
  std::size_t at = 0;
  for (const Object& status : member(pod, "status", "resourceClaimStatuses")) {
    const std::string field = "status.resourceClaimStatuses[" + std::to_string(at++) + "]";
    const std::string name(text(status, "name"));
    const bool known =
        std::any_of(claims.begin(), claims.end(), [&](const Object& claim) { return text(claim, "name") == name; });
    if (!known) {
      out.push_back(invalid_field(field + ".name", name, "must match the name of an entry in `spec.resourceClaims`"));
    }
    const Object& made = member(status, "resourceClaimName");
    if (!made.is_string()) continue;
    append(out,
           invalid_field_each(field + ".resourceClaimName", Shown(made), wrong_dns_subdomain(made.get<std::string>())));
  }
  append(out, wrong_extended_claim(pod));
  return out;
}

}  // namespace nodebound::validation
