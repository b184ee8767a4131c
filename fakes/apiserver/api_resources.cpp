#include "fakes/apiserver/api_resources.h"

#include <algorithm>
#include <array>
#include <string>

namespace nodebound {
namespace {

constexpr std::string_view rbac = "rbac.authorization.k8s.io";
constexpr std::string_view authorization = "authorization.k8s.io";
constexpr std::string_view certificates = "certificates.k8s.io";

constexpr std::array resources = {
    ApiResource{"", "v1", "namespaces", "Namespace", false, "status finalize"},
    ApiResource{"", "v1", "nodes", "Node", false, "status proxy"},
    ApiResource{"", "v1", "pods", "Pod", true,
                "status binding eviction ephemeralcontainers resize exec attach log portforward proxy"},
    ApiResource{"", "v1", "secrets", "Secret", true, ""},
    ApiResource{"", "v1", "configmaps", "ConfigMap", true, ""},
    ApiResource{"", "v1", "services", "Service", true, "status proxy"},
    ApiResource{"", "v1", "endpoints", "Endpoints", true, ""},
    ApiResource{"", "v1", "events", "Event", true, ""},
    ApiResource{"", "v1", "serviceaccounts", "ServiceAccount", true, "token"},
    ApiResource{"", "v1", "persistentvolumes", "PersistentVolume", false, "status"},
    ApiResource{"", "v1", "persistentvolumeclaims", "PersistentVolumeClaim", true, "status"},
    ApiResource{"storage.k8s.io", "v1", "volumeattachments", "VolumeAttachment", false, "status"},
    ApiResource{"storage.k8s.io", "v1", "csinodes", "CSINode", false, ""},
    ApiResource{"storage.k8s.io", "v1", "csidrivers", "CSIDriver", false, ""},
    ApiResource{"storage.k8s.io", "v1", "storageclasses", "StorageClass", false, ""},
    ApiResource{"coordination.k8s.io", "v1", "leases", "Lease", true, ""},
    ApiResource{"resource.k8s.io", "v1", "resourceclaims", "ResourceClaim", true, "status"},
    ApiResource{"resource.k8s.io", "v1", "resourceclaimtemplates", "ResourceClaimTemplate", true, ""},
    ApiResource{"resource.k8s.io", "v1", "resourceslices", "ResourceSlice", false, ""},
    ApiResource{"resource.k8s.io", "v1", "deviceclasses", "DeviceClass", false, ""},
    ApiResource{certificates, "v1", "certificatesigningrequests", "CertificateSigningRequest", false,
                "status approval"},
    ApiResource{certificates, "v1beta1", "podcertificaterequests", "PodCertificateRequest", true, "status",
                "PodCertificateRequest"},
    ApiResource{certificates, "v1beta1", "clustertrustbundles", "ClusterTrustBundle", false, "", "ClusterTrustBundle"},
    ApiResource{"node.k8s.io", "v1", "runtimeclasses", "RuntimeClass", false, ""},
    ApiResource{"events.k8s.io", "v1", "events", "Event", true, ""},
    ApiResource{"policy", "v1", "poddisruptionbudgets", "PodDisruptionBudget", true, "status"},
    ApiResource{"discovery.k8s.io", "v1", "endpointslices", "EndpointSlice", true, ""},
    ApiResource{rbac, "v1", "roles", "Role", true, ""},
    ApiResource{rbac, "v1", "rolebindings", "RoleBinding", true, ""},
    ApiResource{rbac, "v1", "clusterroles", "ClusterRole", false, ""},
    ApiResource{rbac, "v1", "clusterrolebindings", "ClusterRoleBinding", false, ""},
    ApiResource{authorization, "v1", "subjectaccessreviews", "SubjectAccessReview", false, ""},
    ApiResource{authorization, "v1", "localsubjectaccessreviews", "LocalSubjectAccessReview", true, ""},
    ApiResource{authorization, "v1", "selfsubjectaccessreviews", "SelfSubjectAccessReview", false, ""},
    ApiResource{"authentication.k8s.io", "v1", "tokenreviews", "TokenReview", false, ""},
    ApiResource{"authentication.k8s.io", "v1", "selfsubjectreviews", "SelfSubjectReview", false, ""},
};

}  // namespace

bool ApiResource::has_subresource(std::string_view name) const {
  const std::string padded = " " + std::string(subresources) + " ";
  return padded.find(" " + std::string(name) + " ") != std::string::npos;
}

std::string ApiResource::api_version() const {
  return group.empty() ? std::string(version) : std::string(group) + "/" + std::string(version);
}

std::span<const ApiResource> api_resources() {
  return resources;
}

const ApiResource* find_resource(const RuleSet& rules, std::string_view group, std::string_view version,
                                 std::string_view resource) {
  const auto found = std::find_if(resources.begin(), resources.end(), [&](const ApiResource& r) {
    return r.group == group && r.version == version && r.resource == resource;
  });
  if (found == resources.end()) return nullptr;
  const GateSettings& gates = rules.release().gates;
  const auto gate = gates.find(std::string(found->gate));
  const bool served = found->gate.empty() || (gate != gates.end() && gate->second);
  return served ? &*found : nullptr;
}

}  // namespace nodebound
