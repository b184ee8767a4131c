#include "fakes/validation/object.h"

#include <algorithm>
#include <array>

#include "fakes/validation/kinds.h"

namespace nodebound {
namespace {

FieldMistakes no_mistakes(const Object&) {
  return {};
}

FieldMistakes no_mistakes_of_change(const Object&, const Object&) {
  return {};
}

/// The checks of a kind. On an update most kinds are checked completely again, some including their names.
struct Checks {
  std::string_view group;
  std::string_view resource;
  FieldMistakes (*object)(const Object&) = no_mistakes;
  FieldMistakes (*change)(const Object&, const Object&) = no_mistakes_of_change;
  bool whole_on_change = true;
};

constexpr std::string_view rbac = "rbac.authorization.k8s.io";
constexpr std::string_view storage = "storage.k8s.io";

constexpr std::array<Checks, 19> all_checks{{
    {"", "pods", wrong_pod, wrong_pod_change},
    {"", "nodes", wrong_node, wrong_node_change, false},
    {"", "secrets", wrong_secret, wrong_secret_change},
    {"", "configmaps", wrong_config_map, wrong_config_map_change},
    {"", "events", wrong_event},
    {"", "persistentvolumeclaims", wrong_claim, wrong_claim_change},
    {"", "persistentvolumes", wrong_volume, wrong_volume_change},
    {"coordination.k8s.io", "leases", wrong_lease},
    {storage, "volumeattachments", wrong_attachment, wrong_attachment_change},
    {storage, "csinodes", wrong_csi_node, wrong_csi_node_change},
    {"resource.k8s.io", "resourceslices", wrong_slice, wrong_slice_change, false},
    {rbac, "roles", wrong_role},
    {rbac, "clusterroles", wrong_cluster_role},
    {rbac, "rolebindings", wrong_role_binding, wrong_binding_change},
    {rbac, "clusterrolebindings", wrong_cluster_role_binding, wrong_binding_change},
    {"events.k8s.io", "events", wrong_event},
    {"certificates.k8s.io", "certificatesigningrequests", wrong_signing_request, no_mistakes_of_change, false},
    {"certificates.k8s.io", "podcertificaterequests", wrong_pod_certificate_request, no_mistakes_of_change, false},
    {"", "", no_mistakes},
}};

const Checks& checks_of(const ValidatedKind& kind) {
  const auto* const found = std::find_if(all_checks.begin(), all_checks.end() - 1, [&](const Checks& checks) {
    return checks.group == kind.group && checks.resource == kind.resource;
  });
  return *found;
}

bool is_nothing(const Object& value) {
  if (value.is_null()) return true;
  if (!value.is_structured()) return is_empty_text(value);
  return std::all_of(value.begin(), value.end(), is_nothing) && (value.is_object() || value.empty());
}

// For the sake of old clients, the metadata of core Events is not validated.
bool is_event(const ValidatedKind& kind) {
  return kind.group.empty() && kind.resource == "events";
}

// Leases are validated by apimachinery alone.
FieldMistakes finalizers_of(const ValidatedKind& kind, const Object& object) {
  if (kind.group == "coordination.k8s.io") return {};
  return nobodys_finalizers(member(object, "metadata"));
}

// kube-apiserver finds some errors twice and reports them once (field.ErrorList.ToAggregate).
FieldMistakes each_once(FieldMistakes mistakes) {
  FieldMistakes out;
  for (FieldMistake& mistake : mistakes) {
    if (std::find(out.begin(), out.end(), mistake) == out.end()) out.push_back(std::move(mistake));
  }
  return out;
}

}  // namespace

bool means_the_same(const Object& a, const Object& b) {
  if (is_nothing(a) || is_nothing(b)) return is_nothing(a) && is_nothing(b);
  if (a.is_object() && b.is_object()) {
    for (const auto& [name, value] : a.items()) {
      if (!means_the_same(value, member(b, name))) return false;
    }
    return std::all_of(b.items().begin(), b.items().end(),
                       [&](const auto& item) { return a.contains(item.key()) || is_nothing(item.value()); });
  }
  if (a.is_array() && b.is_array()) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), means_the_same);
  }
  return a == b;
}

FieldMistakes wrong_object(const ValidatedKind& kind, const Object& object) {
  FieldMistakes out;
  if (!is_event(kind)) {
    out = wrong_metadata(member(object, "metadata"), kind.namespaced, kind.names);
    append(out, finalizers_of(kind, object));
  }
  append(out, checks_of(kind).object(object));
  if (kind.resource == "pods" && !member(object, "spec", "ephemeralContainers").empty()) {
    out.push_back(forbidden_field("spec.ephemeralContainers", "cannot be set on create"));
  }
  return each_once(std::move(out));
}

FieldMistakes wrong_change(const ValidatedKind& kind, std::string_view subresource, const Object& object,
                           const Object& before) {
  const Checks& checks = checks_of(kind);
  if (is_event(kind)) return wrong_event(object);
  FieldMistakes out = wrong_metadata_change(member(object, "metadata"), member(before, "metadata"));
  append(out, finalizers_of(kind, object));
  if (kind.resource == "certificatesigningrequests" && !subresource.empty()) {
    append(out, wrong_signing_request_conditions(object, before, subresource == "approval"));
  }
  if (subresource == "status") {
    if (kind.resource == "pods") append(out, wrong_pod_status_change(object, before));
    if (kind.resource == "nodes") append(out, checks.change(object, before));
    if (kind.resource == "resourceclaims") append(out, wrong_resource_claim_status(object));
    return each_once(std::move(out));
  }
  if (subresource == "resize") append(out, wrong_pod_resize(object, before));
  if (subresource == "ephemeralcontainers") append(out, wrong_ephemeral_containers_change(object, before));
  if (!subresource.empty()) return each_once(std::move(out));
  if (checks.whole_on_change && checks.object != no_mistakes) {
    append(out, wrong_metadata(member(object, "metadata"), kind.namespaced, kind.names));
    append(out, checks.object(object));
  }
  append(out, checks.change(object, before));
  return each_once(std::move(out));
}

}  // namespace nodebound
