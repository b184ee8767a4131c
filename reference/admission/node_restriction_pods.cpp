#include <algorithm>
#include <array>

#include "reference/admission/node_restriction.h"

namespace nodebound {
namespace {

struct VolumeRule {
  std::string_view source;
  Rule rule;
};

// The first source in this order that matches decides (pkg/api/pod/util.go, HasAPIObjectReference).
constexpr std::array<VolumeRule, 7> volume_rules = {{
    {"configMap", Rule::pod_references_configmap_volume},
    {"secret", Rule::pod_references_secret_volume},
    {"csi", Rule::pod_references_csi},
    {"glusterfs", Rule::pod_references_glusterfs},
    {"persistentVolumeClaim", Rule::pod_references_claims},
    {"ephemeral", Rule::pod_references_ephemeral_claims},
    {"azureFile", Rule::pod_references_azure_file},
}};

constexpr std::array<VolumeRule, 5> projection_rules = {{
    {"configMap", Rule::pod_references_projected_configmap},
    {"secret", Rule::pod_references_projected_secret},
    {"serviceAccountToken", Rule::pod_references_projected_token},
    {"clusterTrustBundle", Rule::pod_references_trust_bundles},
    {"podCertificate", Rule::pod_references_pod_certificates},
}};

// Volume sources that use no API objects.
constexpr std::array<std::string_view, 22> self_contained = {"awsElasticBlockStore",
                                                             "azureDisk",
                                                             "cephfs",
                                                             "cinder",
                                                             "downwardAPI",
                                                             "emptyDir",
                                                             "fc",
                                                             "flexVolume",
                                                             "flocker",
                                                             "gcePersistentDisk",
                                                             "gitRepo",
                                                             "hostPath",
                                                             "image",
                                                             "iscsi",
                                                             "nfs",
                                                             "photonPersistentDisk",
                                                             "portworxVolume",
                                                             "quobyte",
                                                             "rbd",
                                                             "scaleIO",
                                                             "storageos",
                                                             "vsphereVolume"};

bool has(const Object& object, std::string_view field) {
  return !member(object, field).is_null();
}

// An empty status differs from an absent one.
bool same_extended_claim(const Object& a, const Object& b) {
  if (a.is_null() || b.is_null()) return a.is_null() && b.is_null();
  return text(a, "resourceClaimName") == text(b, "resourceClaimName") &&
         same_entries(member(a, "requestMappings"), member(b, "requestMappings"));
}

bool same_claim_statuses(const Object& a, const Object& b) {
  if (!a.is_array() || !b.is_array()) return same_entries(a, b);
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (text(a[i], "name") != text(b[i], "name")) return false;
    if (member(a[i], "resourceClaimName") != member(b[i], "resourceClaimName")) return false;
  }
  return true;
}

}  // namespace

Admission NodeRestriction::pod(std::string_view self, const AdmissionRequest& request) const {
  if (request.subresource == "status") return pod_status(self, request);
  if (request.subresource == "eviction" && rules_.in_force(Rule::pod_evict_known)) return pod_eviction(self, request);
  if (!request.subresource.empty()) {
    return refuse(rules_, Rule::pod_subresources, {{"subresource", request.subresource}});
  }
  switch (request.operation) {
    case Operation::create:
      return pod_create(self, request.object);
    case Operation::remove:
      return pod_delete(self, request);
    case Operation::update:
    case Operation::connect:
      break;
  }
  return refuse(rules_, Rule::pod_no_update, {{"node", self}});
}

Admission NodeRestriction::pod_delete(std::string_view self, const AdmissionRequest& request) const {
  if (!request.name.empty() && text(request.old_object, "spec", "nodeName") == self) return std::nullopt;
  Admission refusal = refuse(rules_, Rule::pod_delete_own, {{"node", self}});
  // The plugin looks the pod up by name, and the delete of a collection names none.
  if (refusal && request.name.empty()) refusal->status = 404;
  return refusal;
}

Admission NodeRestriction::pod_create(std::string_view self, const Object& pod) const {
  if (!is_mirror_pod(pod)) {
    if (Admission refusal = refuse(rules_, Rule::pod_mirror_only, {{"node", self}})) return refusal;
  }
  if (text(pod, "spec", "nodeName") != self) {
    if (Admission refusal = refuse(rules_, Rule::pod_own_node, {{"node", self}})) return refusal;
  }
  if (Admission refusal = pod_owner(self, pod)) return refusal;
  return pod_references(self, pod);
}

Admission NodeRestriction::pod_owner(std::string_view self, const Object& pod) const {
  const Object& owners = member(pod, "metadata", "ownerReferences");
  if (owners.size() > 1) {
    if (Admission refusal = refuse(rules_, Rule::pod_single_owner, {{"node", self}})) return refusal;
  }
  if (owners.empty()) return refuse(rules_, Rule::pod_owner_required, {{"node", self}});
  const Object& owner = owners.front();
  if (text(owner, "apiVersion") != "v1" || text(owner, "kind") != "Node" || text(owner, "name") != self) {
    if (Admission refusal = refuse(rules_, Rule::pod_owner_is_node, {{"node", self}})) return refusal;
  }
  if (!is_true(owner, "controller")) {
    if (Admission refusal = refuse(rules_, Rule::pod_owner_is_controller, {{"node", self}})) return refusal;
  }
  if (is_true(owner, "blockOwnerDeletion")) {
    if (Admission refusal = refuse(rules_, Rule::pod_owner_does_not_block, {{"node", self}})) return refusal;
  }
  const ObjectPtr node = cluster_.find("", "nodes", "", self);
  if (node == nullptr) return refuse(rules_, Rule::pod_owner_exists, {{"node", self}});
  const std::string_view expected = text(owner, "uid");
  const std::string_view actual = text(*node, "metadata", "uid");
  if (expected == actual) return std::nullopt;
  return refuse(rules_, Rule::pod_owner_uid, {{"node", self}, {"expected", expected}, {"actual", actual}});
}

Admission NodeRestriction::pod_references(std::string_view self, const Object& pod) const {
  const auto refused_if = [&](bool found, Rule rule) {
    return found ? refuse(rules_, rule, {{"node", self}}) : Admission();
  };
  const References named = cluster_.references().named_by(pod);
  const auto names = [&](ObjectKind kind) {
    return std::any_of(named.items.begin(), named.items.end(),
                       [&](const NodeGraph::Reference& reference) { return reference.kind == kind; });
  };
  const bool service_account = !text(pod, "spec", "serviceAccountName").empty();
  if (Admission refusal = refused_if(service_account, Rule::pod_references_service_account)) return refusal;
  if (Admission refusal = refused_if(names(ObjectKind::secret), Rule::pod_references_secrets)) return refusal;
  if (Admission refusal = refused_if(names(ObjectKind::configmap), Rule::pod_references_configmaps)) return refusal;
  const bool resource_claims = !member(pod, "spec", "resourceClaims").empty();
  const auto claims_refused = [&] { return refused_if(resource_claims, Rule::pod_references_resource_claims); };
  if (rules_.in_force(Rule::pod_references_by_volume)) {
    if (Admission refusal = claims_refused()) return refusal;
    return volume_references(self, pod);
  }
  // These volume rules have no order of volumes: each kind is looked for in turn.
  const Object& volumes = member(pod, "spec", "volumes");
  const auto projects_bundle = [](const Object& volume) {
    const Object& sources = member(volume, "projected", "sources");
    return std::any_of(sources.begin(), sources.end(),
                       [](const Object& source) { return has(source, "clusterTrustBundle"); });
  };
  const bool bundles = std::any_of(volumes.begin(), volumes.end(), projects_bundle);
  if (Admission refusal = refused_if(bundles, Rule::pod_references_trust_bundles)) return refusal;
  if (Admission refusal = volume_references(self, pod)) return refusal;
  return claims_refused();
}

Admission NodeRestriction::volume_references(std::string_view self, const Object& pod) const {
  const auto refused_if = [&](bool found, Rule rule) {
    return found ? refuse(rules_, rule, {{"node", self}}) : Admission();
  };
  for (const Object& volume : member(pod, "spec", "volumes")) {
    for (const VolumeRule& known : volume_rules) {
      if (Admission refusal = refused_if(has(volume, known.source), known.rule)) return refusal;
    }
    for (const Object& source : member(volume, "projected", "sources")) {
      bool recognised = has(source, "downwardAPI");
      for (const VolumeRule& known : projection_rules) {
        recognised = recognised || has(source, known.source);
        if (Admission refusal = refused_if(has(source, known.source), known.rule)) return refusal;
      }
      if (recognised) continue;
      if (Admission refusal =
              refuse(rules_, Rule::pod_references_unknown_projection, {{"volume", text(volume, "name")}})) {
        return refusal;
      }
    }
    // A volume with a name and nothing else becomes an emptyDir.
    const bool recognised =
        volume.size() <= 1 || has(volume, "projected") ||
        std::any_of(volume_rules.begin(), volume_rules.end(), [&](auto& r) { return has(volume, r.source); }) ||
        std::any_of(self_contained.begin(), self_contained.end(), [&](auto& s) { return has(volume, s); });
    if (recognised) continue;
    if (Admission refusal = refuse(rules_, Rule::pod_references_unknown_volume, {{"volume", text(volume, "name")}})) {
      return refusal;
    }
  }
  return std::nullopt;
}

Admission NodeRestriction::pod_status(std::string_view self, const AdmissionRequest& request) const {
  const Object& before = request.old_object;
  const Object& after = request.object;
  if (text(before, "spec", "nodeName") != self) {
    if (Admission refusal = refuse(rules_, Rule::pod_status_own, {{"node", self}})) return refusal;
  }
  if (!same_entries(member(before, "metadata", "labels"), member(after, "metadata", "labels"))) {
    if (Admission refusal = refuse(rules_, Rule::pod_status_no_labels, {{"node", self}})) return refusal;
  }
  if (!same_claim_statuses(member(before, "status", "resourceClaimStatuses"),
                           member(after, "status", "resourceClaimStatuses"))) {
    if (Admission refusal = refuse(rules_, Rule::pod_status_no_claim_statuses, {{"node", self}})) return refusal;
  }
  if (!same_extended_claim(member(before, "status", "extendedResourceClaimStatus"),
                           member(after, "status", "extendedResourceClaimStatus"))) {
    if (Admission refusal = refuse(rules_, Rule::pod_status_no_extended_claim, {{"node", self}})) return refusal;
  }
  if (same_entries(member(before, "status", "nodeAllocatableResourceClaimStatuses"),
                   member(after, "status", "nodeAllocatableResourceClaimStatuses"))) {
    return std::nullopt;
  }
  return refuse(rules_, Rule::pod_status_no_node_allocatable_claims, {{"node", self}});
}

Admission NodeRestriction::pod_eviction(std::string_view self, const AdmissionRequest& request) const {
  const ObjectPtr pod = cluster_.find("", "pods", request.namespace_, request.name);
  if (pod == nullptr) {
    if (Admission refusal = refuse(rules_, Rule::pod_evict_exists, {{"pod", request.name}})) return refusal;
  } else if (text(*pod, "spec", "nodeName") == self) {
    return std::nullopt;
  }
  return refuse(rules_, Rule::pod_evict_own, {{"node", self}});
}

}  // namespace nodebound
