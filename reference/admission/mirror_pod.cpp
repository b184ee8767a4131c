#include "reference/admission/mirror_pod.h"

#include <algorithm>
#include <utility>

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

namespace {

const Object& mirror_annotation_of(const Object& pod) {
  return member(pod, "metadata", "annotations", mirror_annotation);
}

Admission refused_change_of_annotation(const RuleSet& rules, const AdmissionRequest& request) {
  const bool mirror = is_mirror_pod(request.old_object);
  if (mirror && mirror_annotation_of(request.old_object) != mirror_annotation_of(request.object)) {
    return refuse(rules, Rule::mirror_annotation_kept, {});
  }
  return !mirror && is_mirror_pod(request.object) ? refuse(rules, Rule::mirror_annotation_not_added, {}) : std::nullopt;
}

Admission refused_without_node(const RuleSet& rules, const Object& pod) {
  if (!is_mirror_pod(pod) || !text(pod, "spec", "nodeName").empty()) return std::nullopt;
  return refuse(rules, Rule::mirror_pod_bound, {{"value", text(pod, "metadata", "annotations", mirror_annotation)}});
}

Admission refused_claims(const RuleSet& rules, const Object& pod) {
  if (!is_mirror_pod(pod) || member(pod, "spec", "resourceClaims").empty()) return std::nullopt;
  return refuse(rules, Rule::mirror_pod_no_resource_claims, {});
}

// What a mirror pod never gets, whatever else changes.
Admission refused_for_good(const RuleSet& rules, const AdmissionRequest& request) {
  if (!is_mirror_pod(request.old_object)) return std::nullopt;
  if (request.subresource == "ephemeralcontainers") {
    return refuse(rules, Rule::mirror_pod_no_ephemeral_containers, {});
  }
  return request.subresource == "resize" ? refuse(rules, Rule::mirror_pod_no_resize, {}) : std::nullopt;
}

}  // namespace

Admission validate_mirror_pod(const RuleSet& rules, const AdmissionRequest& request) {
  if (!request.is("", "pods") || request.operation == Operation::remove) return std::nullopt;
  const Object& pod = request.object;
  if (request.operation == Operation::update) {
    if (Admission refusal = refused_for_good(rules, request)) return refusal;
    return refused_change_of_annotation(rules, request);
  }
  if (!request.subresource.empty()) return std::nullopt;
  if (Admission refusal = refused_without_node(rules, pod)) return refusal;
  return refused_claims(rules, pod);
}

std::vector<Refusal> mistakes_of_mirror_pod(const RuleSet& rules, const AdmissionRequest& request) {
  if (!request.is("", "pods") || request.operation == Operation::remove) return {};
  const bool change = request.operation == Operation::update;
  if (!change && !request.subresource.empty()) return {};
  std::vector<Refusal> out;
  const auto note = [&](Admission refusal) {
    if (refusal) out.push_back(std::move(*refusal));
  };
  if (change) note(refused_for_good(rules, request));
  if (!out.empty()) return out;
  if (request.subresource.empty()) {
    note(refused_without_node(rules, request.object));
    note(refused_claims(rules, request.object));
  }
  if (!change) return out;
  note(refused_change_of_annotation(rules, request));
  note(refused_without_node(rules, request.object));
  return out;
}

}  // namespace nodebound
