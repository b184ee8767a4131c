#include "reference/admission/node_restriction.h"

#include "reference/identity/node_identity.h"

namespace nodebound {
namespace {

// For a create, only the body has the object's name.
std::string_view object_name(const AdmissionRequest& request) {
  return request.operation == Operation::create ? text(request.object, "metadata", "name")
                                                : std::string_view(request.name);
}

// Removes empty lists and maps, which mean the same as missing ones.
void prune(Object& value) {
  if (!value.is_object()) return;
  for (auto child = value.begin(); child != value.end();) {
    prune(*child);
    const bool empty = child->is_null() || ((child->is_object() || child->is_array()) && child->empty());
    child = empty ? value.erase(child) : std::next(child);
  }
}

Object without_free_fields(const RuleSet& rules, Object claim) {
  if (claim.contains("metadata") && claim["metadata"].is_object()) {
    claim["metadata"].erase("resourceVersion");
    claim["metadata"].erase("managedFields");
  }
  if (claim.contains("status") && claim["status"].is_object()) {
    claim["status"].erase("capacity");
    claim["status"].erase("conditions");
    if (rules.in_force(Rule::claim_status_resize_fields)) claim["status"].erase("allocatedResources");
    if (rules.in_force(Rule::claim_status_resize_status)) claim["status"].erase("resizeStatus");
    if (rules.in_force(Rule::claim_status_resize_statuses)) claim["status"].erase("allocatedResourceStatuses");
  }
  prune(claim);
  return claim;
}

}  // namespace

Admission NodeRestriction::admit(const AdmissionRequest& request) const {
  const std::optional<std::string_view> caller = node_identity(rules_, request.subject);
  if (!caller) return std::nullopt;
  const std::string_view self = *caller;
  if (self.empty()) return refuse(rules_, Rule::node_identity_named_for_admission, {{"user", request.subject.name}});

  if (request.is("", "pods")) return pod(self, request);
  if (request.is("", "nodes")) return node(self, request);
  if (request.is("", "persistentvolumeclaims")) return claim(self, request);
  if (request.is("", "serviceaccounts")) return token(self, request);
  if (request.is("coordination.k8s.io", "leases")) return lease(self, request);
  if (request.is("storage.k8s.io", "csinodes")) return csi_node(self, request);
  if (request.is("csi.storage.k8s.io", "csinodeinfos")) return csi_node_info(self, request);
  if (request.is("resource.k8s.io", "resourceslices")) return resource_slice(self, request);
  if (request.is("certificates.k8s.io", "certificatesigningrequests")) return certificate_request(self, request);
  if (request.is("certificates.k8s.io", "podcertificaterequests")) return pod_certificate_request(self, request);
  return std::nullopt;
}

Admission NodeRestriction::claim(std::string_view self, const AdmissionRequest& request) const {
  if (request.subresource != "status") return refuse(rules_, Rule::claim_status_only, {});
  if (Admission refusal = refuse(rules_, Rule::claim_status_gate, {{"node", self}})) return refusal;
  const Object before = without_free_fields(rules_, request.old_object);
  const Object after = without_free_fields(rules_, request.object);
  if (before == after) return std::nullopt;
  const std::string difference = Object::diff(before, after).dump();
  return refuse(rules_, Rule::claim_status_fields, {{"node", self}, {"difference", difference}});
}

Admission NodeRestriction::lease(std::string_view self, const AdmissionRequest& request) const {
  if (Admission refusal = refuse(rules_, Rule::lease_admission_gate, {})) return refusal;
  if (request.namespace_ != "kube-node-lease") {
    if (Admission refusal = refuse(rules_, Rule::lease_admission_namespace, {})) return refusal;
  }
  if (object_name(request) == self) return std::nullopt;
  return refuse(rules_, Rule::lease_admission_name, {});
}

Admission NodeRestriction::csi_node(std::string_view self, const AdmissionRequest& request) const {
  if (Admission refusal = refuse(rules_, Rule::csinode_admission_gate, {})) return refusal;
  if (object_name(request) != self) {
    if (Admission refusal = refuse(rules_, Rule::csinode_admission_name, {})) return refusal;
  }
  if (request.subresource != "status") return std::nullopt;
  if (Admission refusal = refuse(rules_, Rule::csinode_status_admission_gate, {})) return refusal;
  if (member(request.object, "spec") == member(request.old_object, "spec")) return std::nullopt;
  return refuse(rules_, Rule::csinode_status_no_spec, {{"node", self}});
}

Admission NodeRestriction::csi_node_info(std::string_view self, const AdmissionRequest& request) const {
  if (Admission refusal = refuse(rules_, Rule::csinodeinfo_admission_gate, {})) return refusal;
  if (object_name(request) == self) return std::nullopt;
  return refuse(rules_, Rule::csinodeinfo_admission_name, {});
}

Admission NodeRestriction::resource_slice(std::string_view self, const AdmissionRequest& request) const {
  const auto is_own = [&](const Object& slice) {
    const auto node = cluster_.references().own_node(ObjectKind::resourceslice, slice);
    return node && node->name == self;
  };
  if (request.operation == Operation::create && !is_own(request.object)) {
    return refuse(rules_, Rule::slice_admission_create, {});
  }
  if (request.operation == Operation::remove && !is_own(request.old_object)) {
    return refuse(rules_, Rule::slice_admission_delete, {});
  }
  return std::nullopt;
}

}  // namespace nodebound
