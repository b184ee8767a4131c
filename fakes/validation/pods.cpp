#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>

#include "fakes/validation/kinds.h"
#include "fakes/validation/metadata.h"
#include "fakes/validation/object.h"
#include "reference/cluster/names.h"
#include "reference/encoding/ascii.h"
#include "reference/release/behaviour_ids.h"
#include "reference/release/refusal_text.h"

// pkg/apis/core/validation/validation.go, for the fields of pods that nodes and administrators write.

namespace nodebound::validation {
namespace {

std::string element(const char* list, std::size_t at, const char* field = "") {
  return "spec." + std::string(list) + "[" + std::to_string(at) + "]" + field;
}

FieldMistakes wrong_mounts(const Object& container, const Object& volumes, const std::string& field) {
  FieldMistakes out;
  std::size_t at = 0;
  for (const Object& mount : member(container, "volumeMounts")) {
    const std::string own = field + ".volumeMounts[" + std::to_string(at++) + "]";
    const std::string name(text(mount, "name"));
    const bool known =
        std::any_of(volumes.begin(), volumes.end(), [&](const Object& volume) { return text(volume, "name") == name; });
    if (name.empty()) {
      out.push_back(required_field(own + ".name", ""));
    } else if (!known) {
      out.push_back(missing_reference(own + ".name", name));
    }
    if (text(mount, "mountPath").empty()) out.push_back(required_field(own + ".mountPath", ""));
  }
  return out;
}

FieldMistakes wrong_containers(const Object& spec, const char* list, std::vector<std::string>& names) {
  FieldMistakes out;
  std::size_t at = 0;
  for (const Object& container : member(spec, list)) {
    const std::string name(text(container, "name"));
    const std::string field = element(list, at++);
    append(out, wrong_part_name(field + ".name", name));
    if (text(container, "image").empty()) out.push_back(required_field(field + ".image", ""));
    append(out, wrong_container_ports(field + ".ports", member(container, "ports")));
    append(out, wrong_environment(field + ".env", member(container, "env")));
    append(out, wrong_mounts(container, member(spec, "volumes"), field));
    append(out, wrong_container_resources(field + ".resources", member(container, "resources")));
    if (std::find(names.begin(), names.end(), name) != names.end()) {
      out.push_back(duplicate_field(field + ".name", name));
    }
    names.push_back(name);
    append(out, wrong_probes(field, container));
  }
  return out;
}

// The fields of a pod's spec that never change: all except images, activeDeadlineSeconds, tolerations and
// schedulingGates.
Object unchangeable_part(Object spec) {
  for (const char* list : {"containers", "initContainers"}) {
    if (!member(spec, list).is_array()) continue;
    for (Object& container : spec[list]) {
      if (container.is_object()) container.erase("image");
    }
  }
  for (const char* field : {"activeDeadlineSeconds", "tolerations", "schedulingGates"}) spec.erase(field);
  return spec;
}

// The reference's rules cover mirror pods.
FieldMistakes wrong_claims(const Object& pod) {
  if (is_mirror_pod(pod)) return {};
  FieldMistakes out;
  std::vector<std::string> names;
  std::size_t at = 0;
  for (const Object& claim : member(pod, "spec", "resourceClaims")) {
    const std::string field = element("resourceClaims", at++);
    const std::string name(text(claim, "name"));
    if (std::find(names.begin(), names.end(), name) != names.end()) {
      out.push_back(duplicate_field(field + ".name", name));
    } else {
      append(out, wrong_part_name(field + ".name", name));
    }
    if (!name.empty()) names.push_back(name);
    // Until 1.31 these fields were in `source`.
    const Object& source = claim.contains("source") ? member(claim, "source") : claim;
    const Object& own = member(source, "resourceClaimName");
    const Object& from = member(source, "resourceClaimTemplateName");
    if (own.is_null() != from.is_null()) continue;
    // The internal Go type has no JSON names, so errors show its Go names.
    const Shown shown = {{"Name", name}, {"ResourceClaimName", Shown(own)}, {"ResourceClaimTemplateName", Shown(from)}};
    out.push_back(invalid_field(
        field, shown,
        own.is_null() ? "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`"
                      : "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified"));
  }
  return out;
}

FieldMistakes wrong_deadline(const Object& spec, std::int64_t least) {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  const Object& deadline = member(spec, "activeDeadlineSeconds");
  if (!deadline.is_number_integer()) return {};
  const auto seconds = deadline.get<std::int64_t>();
  if (seconds >= least && seconds <= most) return {};
  return {invalid_field("spec.activeDeadlineSeconds", deadline,
                        "must be between " + std::to_string(least) + " and " + std::to_string(most) + ", inclusive")};
}

// A deadline may be set, and moved nearer.
FieldMistakes wrong_deadline_change(const Object& spec, const Object& before) {
  const Object& deadline = member(spec, "activeDeadlineSeconds");
  const Object& old = member(before, "activeDeadlineSeconds");
  if (FieldMistakes out = wrong_deadline(spec, 0); !out.empty()) return out;
  if (deadline.is_null() && !old.is_null()) {
    return {
        invalid_field("spec.activeDeadlineSeconds", nullptr, "must not update from a positive integer to nil value")};
  }
  if (!old.is_number_integer() || old.get<std::int64_t>() >= deadline.get<std::int64_t>()) return {};
  return {invalid_field("spec.activeDeadlineSeconds", deadline, "must be less than or equal to previous value")};
}

FieldMistakes wrong_operator(const std::string& field, const Object& toleration, const Release& release) {
  const std::string name(text(toleration, "operator"));
  const std::string value(text(toleration, "value"));
  std::vector<std::string> known = {"Equal", "Exists"};
  if (name.empty() || name == "Equal") return wrong_taint_value(field + ".operator", value);
  if (name == "Exists") {
    if (value.empty()) return {};
    return {invalid_field(field + ".operator", value, "value must be empty when `operator` is 'Exists'")};
  }
  const bool compares = name == "Lt" || name == "Gt";
  if (compares && release.does(Behaviour::tolerations_compare)) {
    std::int64_t number = 0;
    const auto [end, problem] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (problem == std::errc() && end == value.data() + value.size()) return {};
    return {invalid_field(field + ".value", value, "must be a valid decimal integer in canonical form")};
  }
  if (compares && release.does(Behaviour::comparing_tolerations_known)) known.insert(known.end(), {"Lt", "Gt"});
  return {unsupported_field(field + ".operator", name, known)};
}

FieldMistakes wrong_tolerations(const Object& spec, const Release& release) {
  FieldMistakes out;
  std::size_t at = 0;
  for (const Object& toleration : member(spec, "tolerations")) {
    const std::string field = element("tolerations", at++);
    const std::string key(text(toleration, "key"));
    const std::string effect(text(toleration, "effect"));
    const std::string name(text(toleration, "operator"));
    if (!key.empty()) append(out, invalid_field_each(field + ".key", key, wrong_label_key(key)));
    if (key.empty() && name != "Exists") {
      out.push_back(
          invalid_field(field + ".operator", name,
                        "operator must be Exists when `key` is empty, which means \"match all values and all keys\""));
    }
    if (!member(toleration, "tolerationSeconds").is_null() && effect != "NoExecute") {
      out.push_back(
          invalid_field(field + ".effect", effect, "effect must be 'NoExecute' when `tolerationSeconds` is set"));
    }
    append(out, wrong_operator(field, toleration, release));
    const std::vector<std::string> effects = {"NoSchedule", "PreferNoSchedule", "NoExecute"};
    if (!effect.empty() && std::find(effects.begin(), effects.end(), effect) == effects.end())
      out.push_back(unsupported_field(field + ".effect", effect, effects));
  }
  return out;
}

FieldMistakes wrong_tolerations_change(const Object& spec, const Object& before, const Release& release) {
  const Object& now = member(spec, "tolerations");
  for (const Object& old : member(before, "tolerations")) {
    const bool kept =
        std::any_of(now.begin(), now.end(), [&](const Object& toleration) { return means_the_same(toleration, old); });
    if (!kept) {
      return {
          forbidden_field("spec.tolerations", "existing toleration can not be modified except its tolerationSeconds")};
    }
  }
  // Each is checked once more: a wrong one has two causes.
  return wrong_tolerations(spec, release);
}

FieldMistakes new_scheduling_gates(const Object& spec, const Object& before) {
  FieldMistakes out;
  const Object& old = member(before, "schedulingGates");
  std::size_t at = 0;
  for (const Object& gate : member(spec, "schedulingGates")) {
    const std::string field = element("schedulingGates", at++, ".name");
    const auto is_it = [&](const Object& other) { return text(other, "name") == text(gate, "name"); };
    if (std::any_of(old.begin(), old.end(), is_it)) continue;
    out.push_back(forbidden_field(
        field, "only deletion is allowed, but found new scheduling gate '" + std::string(text(gate, "name")) + "'"));
  }
  return out;
}

bool is_zero(const Object& quantity) {
  return quantity == "0" || quantity == 0;
}

FieldMistakes wrong_order_of_containers(const Object& spec, const Object& old, const std::string& list) {
  const std::string field = "spec." + list;
  const Object& now = member(spec, list);
  const Object& were = member(old, list);
  if (now.size() != were.size()) return {forbidden_field(field, list + " may not be added or removed on resize")};
  FieldMistakes out;
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (text(now[i], "name") == text(were[i], "name")) continue;
    out.push_back(forbidden_field(field + "[" + std::to_string(i) + "].name",
                                  list + " may not be renamed or reordered on resize"));
  }
  return out;
}

// Whether the kubelet tells what running containers may use, and so can change it.
bool shows_resources(const Object& pod) {
  for (const Object& container : member(pod, "status", "containerStatuses")) {
    if (!member(container, "state", "running").is_null()) return !member(container, "resources").is_null();
  }
  return true;
}

FieldMistakes removed_resources(const Object& spec, const Object& old, const std::string& list) {
  FieldMistakes out;
  const Object& now = member(spec, list);
  const Object& were = member(old, list);
  for (std::size_t i = 0; i < now.size(); ++i) {
    for (const char* sort : {"requests", "limits"}) {
      const Object& left = member(now[i], "resources", sort);
      const Object& had = member(were[i], "resources", sort);
      const bool removed = had.is_object() &&
                           std::ranges::any_of(had.items(), [&](const auto& one) { return !left.contains(one.key()); });
      if (!removed) continue;
      out.push_back(forbidden_field("spec." + list + "[" + std::to_string(i) + "].resources." + sort,
                                    "resource " + std::string(sort) + " cannot be removed"));
    }
  }
  return out;
}

Object without_cpu_and_memory(Object container) {
  for (const char* sort : {"requests", "limits"}) {
    if (!member(container, "resources", sort).is_object()) continue;
    for (const char* name : {"cpu", "memory"}) container["resources"][sort].erase(name);
    if (container["resources"][sort].empty()) container["resources"].erase(sort);
  }
  if (member(container, "resources").empty()) container.erase("resources");
  return container;
}

// What is asked of the images of pods, and not of templates; of changed ones, that they are there is asked again.
FieldMistakes wrong_images(const std::string& list, const Object& containers, bool changed) {
  FieldMistakes out;
  std::size_t at = 0;
  for (const Object& container : containers) {
    const std::string field = list + "[" + std::to_string(at++) + "].image";
    const std::string image(text(container, "image"));
    if (changed && image.empty()) out.push_back(required_field(field, ""));
    if (trimmed(image, " \t\r\n\v\f").size() != image.size()) {
      out.push_back(invalid_field(field, image, "must not have leading or trailing whitespace"));
    }
  }
  return out;
}

std::string changeable_fields(const Release& release) {
  const std::string tolerations = "`spec.tolerations` (only additions to existing tolerations)";
  const std::string period =
      "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)";
  if (release.does(Behaviour::changeable_fields_listed)) {
    return "`spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`," + tolerations +
           "," + period;
  }
  const std::string first = "`spec.containers[*].image`, `spec.initContainers[*].image`, `spec.activeDeadlineSeconds`";
  return release.does(Behaviour::grace_period_changeable) ? first + ", " + tolerations + " or " + period
                                                          : first + " or " + tolerations;
}

}  // namespace

FieldMistakes wrong_part_name(const std::string& field, const std::string& name) {
  if (name.empty()) return {required_field(field, "")};
  return invalid_field_each(field, name, wrong_dns_label(name));
}

// ComputePodQOS of pkg/apis/core/helper/qos: Guaranteed needs limits for CPU and memory, equal to the requests.
const char* quality_of_service(const Object& spec) {
  bool any = false;
  bool guaranteed = true;
  for (const char* list : {"containers", "initContainers"}) {
    for (const Object& container : member(spec, list)) {
      for (const char* name : {"cpu", "memory"}) {
        const Object& request = member(container, "resources", "requests", name);
        const Object& limit = member(container, "resources", "limits", name);
        any |= (!request.is_null() && !is_zero(request)) || (!limit.is_null() && !is_zero(limit));
        guaranteed &= !limit.is_null() && !is_zero(limit) && (request.is_null() || request == limit);
      }
    }
  }
  return !any ? "BestEffort" : guaranteed ? "Guaranteed" : "Burstable";
}

// Pod templates may: they get their account later.
FieldMistakes tokens_without_account(const Object& spec) {
  FieldMistakes out;
  if (!text(spec, "serviceAccountName").empty()) return out;
  std::size_t volume = 0;
  for (const Object& each : member(spec, "volumes")) {
    const std::string projected = "spec.volumes[" + std::to_string(volume++) + "].projected.sources[";
    std::size_t source = 0;
    for (const Object& own : member(each, "projected", "sources")) {
      const std::string field = projected + std::to_string(source++) + "].serviceAccountToken";
      if (member(own, "serviceAccountToken").is_null()) continue;
      out.push_back(forbidden_field(field, "must not be specified when serviceAccountName is not set"));
    }
  }
  return out;
}

FieldMistakes wrong_pod(const Object& pod, const Release& release) {
  const Object& spec = member(pod, "spec");
  FieldMistakes out = wrong_pod_volumes(spec);
  append(out, wrong_claims(pod));
  std::vector<std::string> names;
  if (member(spec, "containers").empty()) out.push_back(required_field("spec.containers", ""));
  append(out, wrong_containers(spec, "containers", names));
  append(out, repeated_host_ports(member(spec, "containers")));
  append(out, wrong_containers(spec, "initContainers", names));
  append(out, wrong_containers(spec, "ephemeralContainers", names));
  append(out, wrong_ports_of_host(spec, release));
  const std::string policy(text(spec, "restartPolicy"));
  if (!policy.empty() && policy != "Always" && policy != "OnFailure" && policy != "Never") {
    out.push_back(unsupported_field("spec.restartPolicy", policy, {"Always", "OnFailure", "Never"}));
  }
  append(out, wrong_dns_policy(spec));
  append(out, wrong_labels("spec.nodeSelector", member(spec, "nodeSelector")));
  append(out, wrong_node_affinity("spec.affinity.nodeAffinity", member(spec, "affinity", "nodeAffinity")));
  append(out, wrong_dns_config(spec, release));
  append(out, wrong_gates(spec));
  const std::string account(text(spec, "serviceAccountName"));
  if (!account.empty())
    append(out, invalid_field_each("spec.serviceAccountName", account, wrong_dns_subdomain(account)));
  const std::string node(text(spec, "nodeName"));
  if (!node.empty()) append(out, invalid_field_each("spec.nodeName", node, wrong_dns_subdomain(node)));
  append(out, wrong_deadline(spec, 1));
  append(out, wrong_host_names(spec));
  append(out, wrong_tolerations(spec, release));
  append(out, wrong_host_aliases(spec, release));
  append(out, wrong_operating_system(spec));
  append(out, tokens_without_account(spec));
  append(out, wrong_images("spec.containers", member(spec, "containers"), false));
  append(out, wrong_images("spec.initContainers", member(spec, "initContainers"), false));
  return out;
}

FieldMistakes wrong_pod_change(const Object& pod, const Object& before, const Release& release) {
  const Object& spec = member(pod, "spec");
  const Object& old = member(before, "spec");
  FieldMistakes out;
  // A pod keeps the paths that an older release took.
  if (wrong_token_paths(before, release).empty()) out = wrong_token_paths(pod, release);
  for (const char* list : {"containers", "initContainers"}) {
    const std::string field = std::string("spec.") + list;
    if (member(spec, list).size() != member(old, list).size()) {
      out.push_back(forbidden_field(field, "pod updates may not add or remove containers"));
      return out;
    }
    append(out, wrong_images(field, member(spec, list), true));
  }
  const FieldMistakes deadline = wrong_deadline_change(spec, old);
  append(out, deadline);
  // A deadline that is wrong by itself ends the checks.
  if (!deadline.empty() && !member(spec, "activeDeadlineSeconds").is_null()) return out;
  append(out, wrong_tolerations_change(spec, old, release));
  append(out, new_scheduling_gates(spec, old));
  const bool other_quality = std::string_view(quality_of_service(spec)) != quality_of_service(old);
  if (other_quality && release.does(Behaviour::quality_of_service_kept))
    out.push_back(invalid_field("metadata", text(before, "status", "qosClass"), "Pod QoS is immutable"));
  if (means_the_same(unchangeable_part(spec), unchangeable_part(old))) return out;
  out.push_back(forbidden_field("spec", "pod updates may not change fields other than " + changeable_fields(release)));
  return out;
}

FieldMistakes wrong_pod_resize(const Object& pod, const Object& before, const Release& release) {
  // Upstream says nothing else of a mirror pod than the rule mirror-pod-no-resize.
  if (is_mirror_pod(before)) return {};
  const Object& spec = member(pod, "spec");
  const Object& old = member(before, "spec");
  if (text(old, "os", "name") == "windows") return {forbidden_field("", "windows pods cannot be resized")};
  FieldMistakes out = wrong_pod(pod, release);
  if (std::string_view(quality_of_service(spec)) != quality_of_service(old)) {
    out.push_back(
        invalid_field("spec", text(pod, "status", "qosClass"), "Pod QOS Class may not change as a result of resizing"));
  }
  if (!shows_resources(before))
    out.push_back(forbidden_field("spec", "Pod running on node without support for resize"));
  FieldMistakes order = wrong_order_of_containers(spec, old, "containers");
  append(order, wrong_order_of_containers(spec, old, "initContainers"));
  append(out, order);
  if (!order.empty()) return out;
  append(out, removed_resources(spec, old, "initContainers"));
  append(out, removed_resources(spec, old, "containers"));
  const Object& containers = member(spec, "containers");
  for (std::size_t i = 0; i < containers.size(); ++i) {
    const Object& were = member(old, "containers")[i];
    if (means_the_same(without_cpu_and_memory(containers[i]), without_cpu_and_memory(were))) continue;
    out.push_back(forbidden_field("spec", "only cpu and memory resources are mutable"));
  }
  return out;
}

FieldMistakes wrong_ephemeral_containers_change(const Object& pod, const Object& before, const Release& release) {
  FieldMistakes out = wrong_pod(pod, release);
  const Object& containers = member(pod, "spec", "ephemeralContainers");
  for (const Object& old : member(before, "spec", "ephemeralContainers")) {
    const auto found = std::find_if(containers.begin(), containers.end(),
                                    [&](const Object& own) { return text(own, "name") == text(old, "name"); });
    const bool gone = found == containers.end();
    if (!gone && means_the_same(*found, old)) continue;
    // Upstream ends both errors with a line break, and adds a diff of the Go values to the second.
    out.push_back(forbidden_field("spec.ephemeralContainers", "existing ephemeral containers " +
                                                                  go_quoted(text(old, "name")) + " may not be " +
                                                                  (gone ? "removed" : "changed") + "\n"));
  }
  return out;
}

}  // namespace nodebound::validation
