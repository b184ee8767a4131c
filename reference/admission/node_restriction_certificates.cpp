#include <algorithm>

#include "reference/admission/certificate_signing_request.h"
#include "reference/admission/node_restriction.h"
#include "reference/encoding/base64.h"

namespace nodebound {

Admission NodeRestriction::certificate_request(std::string_view self, const AdmissionRequest& request) const {
  if (request.operation != Operation::create) return std::nullopt;
  const std::string_view signer = text(request.object, "spec", "signerName");
  if (signer != "kubernetes.io/kubelet-serving" && signer != "kubernetes.io/kube-apiserver-client-kubelet") {
    return std::nullopt;
  }
  const std::optional<std::string> pem = base64_decode(text(request.object, "spec", "request"));
  const std::optional<std::string> common_name = pem ? common_name_of(*pem) : std::nullopt;
  if (!common_name) {
    return refuse(rules_, Rule::csr_parsable, {{"error", "PEM block type must be CERTIFICATE REQUEST"}});
  }
  if (*common_name == "system:node:" + std::string(self)) return std::nullopt;
  return refuse(rules_, Rule::csr_common_name, {{"node", self}});
}

Admission NodeRestriction::pod_certificate_request(std::string_view self, const AdmissionRequest& request) const {
  if (rules_.in_force(Rule::pcr_gate)) return refuse(rules_, Rule::pcr_gate, {});
  if (request.operation != Operation::create) {
    return refuse(rules_, Rule::pcr_create_only, {{"operation", to_string(request.operation)}});
  }
  if (!request.subresource.empty()) {
    return refuse(rules_, Rule::pcr_no_subresource_write, {{"subresource", request.subresource}});
  }
  const Object& spec = member(request.object, "spec");
  const std::string_view named = text(spec, "nodeName");
  if (named != self) {
    if (Admission refusal = refuse(rules_, Rule::pcr_own_node, {{"named", named}, {"node", self}})) return refusal;
  }
  const std::string pod_name = request.namespace_ + "/" + std::string(text(spec, "podName"));
  const ObjectPtr node = cluster_.find("", "nodes", "", named);
  if (node == nullptr) return refuse(rules_, Rule::pcr_node_exists, {{"named", named}, {"node", named}});
  const std::string_view node_uid = text(*node, "metadata", "uid");
  if (text(spec, "nodeUID") != node_uid) {
    if (Admission refusal = refuse(rules_, Rule::pcr_node_uid,
                                   {{"pod", pod_name}, {"uid", text(spec, "nodeUID")}, {"actual", node_uid}})) {
      return refusal;
    }
  }
  const ObjectPtr pod = cluster_.find("", "pods", request.namespace_, text(spec, "podName"));
  if (pod == nullptr) {
    const std::string error = "pod " + go_quoted(text(spec, "podName")) + " not found";
    return refuse(rules_, Rule::pcr_pod_exists, {{"pod", pod_name}, {"error", error}});
  }
  return certificate_of_pod(request, *pod);
}

Admission NodeRestriction::certificate_of_pod(const AdmissionRequest& request, const Object& pod) const {
  const Object& spec = member(request.object, "spec");
  const std::string pod_name = request.namespace_ + "/" + std::string(text(spec, "podName"));
  const std::string_view pod_uid = text(pod, "metadata", "uid");
  if (text(spec, "podUID") != pod_uid) {
    if (Admission refusal = refuse(rules_, Rule::pcr_pod_uid,
                                   {{"pod", pod_name}, {"uid", text(spec, "podUID")}, {"actual", pod_uid}})) {
      return refusal;
    }
  }
  const std::string_view named = text(spec, "nodeName");
  if (text(pod, "spec", "nodeName") != named) {
    if (Admission refusal = refuse(rules_, Rule::pcr_pod_on_node, {{"pod", pod_name}, {"named", named}})) {
      return refusal;
    }
  }
  if (is_mirror_pod(pod)) {
    if (Admission refusal = refuse(rules_, Rule::pcr_no_mirror_pod, {{"pod", pod_name}})) return refusal;
  }
  const std::string_view account = text(spec, "serviceAccountName");
  const std::string_view account_of_pod = text(pod, "spec", "serviceAccountName");
  if (account != account_of_pod) {
    if (Admission refusal = refuse(rules_, Rule::pcr_service_account,
                                   {{"pod", pod_name}, {"named", account}, {"actual", account_of_pod}})) {
      return refusal;
    }
  }
  const ObjectPtr found = cluster_.find("", "serviceaccounts", request.namespace_, account);
  if (found == nullptr) {
    const std::string full = request.namespace_ + "/" + std::string(account);
    const std::string error = "serviceaccount " + go_quoted(account) + " not found";
    return refuse(rules_, Rule::pcr_service_account_exists, {{"account", full}, {"error", error}});
  }
  const std::string_view uid = text(*found, "metadata", "uid");
  if (text(spec, "serviceAccountUID") != uid) {
    if (Admission refusal = refuse(rules_, Rule::pcr_service_account_uid,
                                   {{"pod", pod_name}, {"uid", text(spec, "serviceAccountUID")}, {"actual", uid}})) {
      return refusal;
    }
  }
  return signer_of_certificate(request, pod);
}

Admission NodeRestriction::signer_of_certificate(const AdmissionRequest& request, const Object& pod) const {
  if (!rules_.in_force(Rule::pcr_signer_mounted)) return std::nullopt;
  const Object& spec = member(request.object, "spec");
  const std::string_view signer = text(spec, "signerName");
  for (const Object& volume : member(pod, "spec", "volumes")) {
    for (const Object& source : member(volume, "projected", "sources")) {
      const Object& certificate = member(source, "podCertificate");
      if (certificate.is_object() && text(certificate, "signerName") == signer) return std::nullopt;
    }
  }
  if (rules_.in_force(Rule::pcr_signer_granted)) {
    Attributes grant;
    grant.verb = "request-serviceaccounts-podcertificate-signer";
    grant.resource_request = true;
    grant.api_group = request.group;
    grant.resource = signer;
    std::replace(grant.resource.begin(), grant.resource.end(), '/', ':');
    grant.namespace_ = request.namespace_;
    grant.name = text(spec, "serviceAccountName");
    if (authorizer_.authorize(request.subject, grant).allowed()) return std::nullopt;
  }
  const std::string pod_name = request.namespace_ + "/" + std::string(text(spec, "podName"));
  return refuse(rules_, Rule::pcr_signer_mounted, {{"pod", pod_name}, {"signer", signer}});
}

}  // namespace nodebound
