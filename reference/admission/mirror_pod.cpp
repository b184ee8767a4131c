#include "reference/admission/mirror_pod.h"

#include <algorithm>

namespace nodebound {

Admission ServiceAccountPlugin::admit(const AdmissionRequest& request) const {
  if (!request.is("", "pods") || !request.subresource.empty() || request.operation != Operation::create ||
      !is_mirror_pod(request.object)) {
    return std::nullopt;
  }
  const Object& pod = request.object;
  if (!text(pod, "spec", "serviceAccountName").empty()) {
    if (Admission refusal = refuse(rules_, Rule::mirror_pod_no_service_account, {})) return refusal;
  }
  const References named = references_.named_by(pod);
  const bool secrets = std::any_of(named.items.begin(), named.items.end(), [](const NodeGraph::Reference& reference) {
    return reference.kind == ObjectKind::secret;
  });
  if (secrets) {
    if (Admission refusal = refuse(rules_, Rule::mirror_pod_no_secrets, {})) return refusal;
  }
  for (const Object& volume : member(pod, "spec", "volumes")) {
    for (const Object& source : member(volume, "projected", "sources")) {
      if (member(source, "serviceAccountToken").is_null()) continue;
      return refuse(rules_, Rule::mirror_pod_no_token_projection, {});
    }
  }
  return std::nullopt;
}

Admission validate_mirror_pod(const RuleSet& rules, const AdmissionRequest& request) {
  if (!request.is("", "pods") || request.operation == Operation::remove) return std::nullopt;
  const Object& pod = request.object;
  if (request.operation == Operation::update) {
    const bool mirror = is_mirror_pod(request.old_object);
    if (mirror && request.subresource == "ephemeralcontainers") {
      return refuse(rules, Rule::mirror_pod_no_ephemeral_containers, {});
    }
    if (mirror && request.subresource == "resize") return refuse(rules, Rule::mirror_pod_no_resize, {});
    const Object& before = member(request.old_object, "metadata", "annotations", mirror_annotation);
    const Object& after = member(pod, "metadata", "annotations", mirror_annotation);
    if (mirror && before != after) return refuse(rules, Rule::mirror_annotation_kept, {});
    if (!mirror && is_mirror_pod(pod)) return refuse(rules, Rule::mirror_annotation_not_added, {});
    return std::nullopt;
  }
  if (!request.subresource.empty() || !is_mirror_pod(pod)) return std::nullopt;
  if (text(pod, "spec", "nodeName").empty()) {
    const std::string_view value = text(pod, "metadata", "annotations", mirror_annotation);
    if (Admission refusal = refuse(rules, Rule::mirror_pod_bound, {{"value", value}})) return refusal;
  }
  if (member(pod, "spec", "resourceClaims").empty()) return std::nullopt;
  return refuse(rules, Rule::mirror_pod_no_resource_claims, {});
}

}  // namespace nodebound
