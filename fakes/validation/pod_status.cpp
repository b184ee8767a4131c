#include <algorithm>
#include <array>
#include <set>

#include "fakes/validation/kinds.h"
#include "reference/cluster/names.h"
#include "reference/release/behaviour_ids.h"

// pkg/apis/core/validation/validation.go, for the status of pods.

namespace nodebound::validation {
namespace {

constexpr const char* extended_claim = "status.extendedResourceClaimStatus";

const Object* named(const Object& list, std::string_view name) {
  const auto found =
      std::find_if(list.begin(), list.end(), [&](const Object& one) { return text(one, "name") == name; });
  return found == list.end() ? nullptr : &*found;
}

const Object* container_named(const Object& pod, std::string_view name) {
  const Object* const found = named(member(pod, "spec", "containers"), name);
  return found != nullptr ? found : named(member(pod, "spec", "initContainers"), name);
}

FieldMistakes negative_generation(const Object& of, const std::string& field) {
  const Object& generation = member(of, "observedGeneration");
  if (!generation.is_number_integer() || generation >= 0) return {};
  return {
      invalid_field(field + ".observedGeneration", generation.get<std::int64_t>(), "must be a non-negative integer")};
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

std::int64_t exit_code_of(const Object& terminated) {
  const Object& code = member(terminated, "exitCode");
  return code.is_number_integer() ? code.get<std::int64_t>() : 0;
}

bool matches_exit(const Object& rule, std::int64_t exit_code) {
  const Object& values = member(rule, "exitCodes", "values");
  const bool listed = std::find(values.begin(), values.end(), Object(exit_code)) != values.end();
  const std::string_view how = text(rule, "exitCodes", "operator");
  return (how == "In" && listed) || (how == "NotIn" && !listed);
}

bool restarts(std::string_view policy, std::int64_t exit_code) {
  return policy == "Always" || (policy == "OnFailure" && exit_code != 0);
}

// ContainerShouldRestart in pkg/api/v1/pod/util.go. A container may have a policy of its own, and rules before that.
bool may_restart(const Object& spec, const Object* container, std::int64_t exit_code) {
  const std::string_view of_pod = text(spec, "restartPolicy");
  const std::string_view own = container == nullptr ? std::string_view() : text(*container, "restartPolicy");
  if (own.empty()) return restarts(of_pod.empty() ? "Always" : of_pod, exit_code);
  const Object& rules = member(*container, "restartPolicyRules");
  return std::any_of(rules.begin(), rules.end(), [&](const Object& rule) { return matches_exit(rule, exit_code); }) ||
         restarts(own, exit_code);
}

bool all_may_restart(const Object& spec) {
  for (const char* list : {"containers", "initContainers"}) {
    for (const Object& container : member(spec, list)) {
      for (const Object& rule : member(container, "restartPolicyRules")) {
        if (text(rule, "action") == "RestartAllContainers") return true;
      }
    }
  }
  return false;
}

/// A list of statuses, and the list of the spec that it is about; none for ephemeral containers, which never restart.
struct StatusList {
  const char* statuses;
  const char* containers;
};

constexpr std::array<StatusList, 3> status_lists = {{{"containerStatuses", "containers"},
                                                     {"initContainerStatuses", "initContainers"},
                                                     {"ephemeralContainerStatuses", nullptr}}};

FieldMistakes restarted_containers(const Object& pod, const Object& before, const StatusList& list,
                                   const Release& release) {
  FieldMistakes out;
  const Object& spec = member(before, "spec");
  const bool by_rules = release.does(Behaviour::containers_restart_by_rules);
  const Object& now = member(pod, "status", list.statuses);
  std::size_t at = 0;
  for (const Object& old : member(before, "status", list.statuses)) {
    const std::string field = "status." + std::string(list.statuses) + "[" + std::to_string(at++) + "].state";
    const Object& terminated = member(old, "state", "terminated");
    const Object* status = named(now, text(old, "name"));
    if (terminated.is_null() || status == nullptr || !member(*status, "state", "terminated").is_null()) continue;
    if (list.containers != nullptr) {
      const Object* container = named(member(spec, list.containers), text(old, "name"));
      if ((container != nullptr || !by_rules) && may_restart(spec, container, exit_code_of(terminated))) continue;
    }
    out.push_back(forbidden_field(field, "may not be transitioned to non-terminated state"));
  }
  return out;
}

FieldMistakes wrong_states(const Object& pod, const Object& before, const Release& release) {
  FieldMistakes out;
  if (!release.does(Behaviour::container_states_kept)) return out;
  const bool any_may = all_may_restart(member(before, "spec"));
  for (const StatusList& list : status_lists) {
    const bool ephemeral = list.containers == nullptr;
    if (ephemeral && !release.does(Behaviour::ephemeral_container_states_kept)) continue;
    if (!any_may || ephemeral) append(out, restarted_containers(pod, before, list, release));
  }
  return out;
}

FieldMistakes wrong_conditions(const Object& pod, const Release& release) {
  FieldMistakes out;
  if (!release.does(Behaviour::pod_conditions_checked)) return out;
  const std::string list =
      release.does(Behaviour::pod_conditions_in_status) ? "status.conditions[" : "metadata.conditions[";
  std::size_t at = 0;
  for (const Object& condition : member(pod, "status", "conditions")) {
    const std::string field = list + std::to_string(at++) + "]";
    if (release.does(Behaviour::pod_generation_observed)) append(out, negative_generation(condition, field));
    const std::string type(text(condition, "type"));
    if (type == "PodScheduled" || type == "Ready" || type == "Initialized") continue;
    append(out, invalid_field_each(field + ".Type", type, wrong_label_key(type)));
  }
  return out;
}

FieldMistakes wrong_nomination(const Object& pod, const Object& before, const Release& release) {
  const std::string node(text(pod, "status", "nominatedNodeName"));
  if (node.empty() || node == text(before, "status", "nominatedNodeName")) return {};
  const std::string field = "status.nominatedNodeName";
  FieldMistakes out;
  if (release.does(Behaviour::container_states_kept)) out = invalid_field_each(field, node, wrong_dns_subdomain(node));
  const bool bound = !text(before, "spec", "nodeName").empty();
  if (bound && release.does(Behaviour::no_nomination_once_bound)) {
    out.push_back(forbidden_field(field, "may not be set on pods that are already bound to a node"));
  }
  return out;
}

std::vector<std::string> addresses_in(const Object& pod, const char* list) {
  std::vector<std::string> out;
  for (const Object& one : member(pod, "status", list)) out.emplace_back(text(one, "ip"));
  return out;
}

// At most two, and then one of each family.
FieldMistakes wrong_pair(const std::string& field, const std::vector<std::string>& addresses, const Release& release) {
  if (addresses.size() < 2) return {};
  const auto ip6 = static_cast<std::size_t>(std::count_if(addresses.begin(), addresses.end(), is_ip6_address));
  if (addresses.size() == 2 && ip6 == 1) return {};
  FieldMistakes out;
  const auto wrong = std::find_if_not(addresses.begin(), addresses.end(), is_address);
  if (wrong != addresses.end()) {
    const std::string told = release.does(Behaviour::wrong_address_by_index)
                                 ? "invalid IP[" + std::to_string(wrong - addresses.begin()) + "]: " + *wrong
                                 : "ip <nil> is invalid";
    out.push_back({field, "InternalError", "Internal error", {}, "failed to check for dual stack with error:" + told});
  }
  Shown all = Shown::array();
  for (const std::string& each : addresses) all.push_back({{"IP", each}});
  out.push_back(invalid_field(field, all, "may specify no more than one IP for each IP family"));
  return out;
}

FieldMistakes wrong_addresses(const Object& pod, const Object& before, const char* list, const Release& release) {
  const std::vector<std::string> now = addresses_in(pod, list);
  const std::vector<std::string> old = addresses_in(before, list);
  const bool kept_each = release.does(Behaviour::wrong_addresses_kept_each);
  if (!kept_each && !std::all_of(old.begin(), old.end(), is_address)) return {};
  FieldMistakes out;
  const std::string field = std::string("status.") + list;
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (kept_each && std::find(old.begin(), old.end(), now[i]) != old.end()) continue;
    append(out, wrong_address(field + "[" + std::to_string(i) + "]", now[i], release));
  }
  append(out, wrong_pair(field, now, release));
  return out;
}

FieldMistakes wrong_host_addresses(const Object& pod, const Object& before, const Release& release) {
  const std::vector<std::string> all = addresses_in(pod, "hostIPs");
  if (all.empty()) return {};
  FieldMistakes out;
  if (text(pod, "status", "hostIP") != all.front()) {
    out.push_back(invalid_field("status.hostIPs[0].ip", all.front(), "must be equal to `hostIP`"));
  }
  append(out, wrong_addresses(pod, before, "hostIPs", release));
  return out;
}

FieldMistakes wrong_id(const std::string& field, const Object& id, std::int64_t most = 2147483647) {
  const std::int64_t number = id.is_number_integer() ? id.get<std::int64_t>() : 0;
  if (number >= 0 && number <= most) return {};
  return {invalid_field(field, number, "must be between 0 and " + std::to_string(most) + ", inclusive")};
}

FieldMistakes wrong_users(const Object& pod, const char* list, const Release& release) {
  FieldMistakes out;
  const bool windows = text(pod, "spec", "os", "name") == "windows";
  std::size_t at = 0;
  for (const Object& status : member(pod, "status", list)) {
    const std::string field = std::string("status.") + list + "[" + std::to_string(at++) + "].user.linux";
    const Object& user = member(status, "user", "linux");
    if (!user.is_object()) continue;
    if (windows) {
      out.push_back(forbidden_field(field, "cannot be set for a windows pod"));
      continue;
    }
    const std::int64_t most = release.does(Behaviour::user_ids_of_32_bits) ? 4294967295 : 2147483647;
    append(out, wrong_id(field + ".uid", member(user, "uid"), most));
    append(out, wrong_id(field + ".gid", member(user, "gid")));
    std::size_t number = 0;
    for (const Object& group : member(user, "supplementalGroups")) {
      append(out, wrong_id(field + ".supplementalGroups[" + std::to_string(number++) + "]", group));
    }
  }
  return out;
}

bool has_claim(const Object& container, const std::string& resource) {
  const Object& claims = member(container, "resources", "claims");
  return std::any_of(claims.begin(), claims.end(), [&](const Object& claim) {
    const std::string_view request = text(claim, "request");
    return resource ==
           "claim:" + std::string(text(claim, "name")) + (request.empty() ? "" : "/" + std::string(request));
  });
}

FieldMistakes wrong_health(const Object& devices, const std::string& list) {
  constexpr std::size_t most_bytes = 1024;
  FieldMistakes out;
  std::set<std::string, std::less<>> seen;
  std::size_t at = 0;
  for (const Object& device : devices) {
    const std::string field = list + "[" + std::to_string(at++) + "]";
    const std::string health(text(device, "health"));
    if (health != "Healthy" && health != "Unhealthy" && health != "Unknown") {
      out.push_back(unsupported_field(field + ".health", health, {"Healthy", "Unhealthy", "Unknown"}));
    }
    const Object& message = member(device, "message");
    if (message == "") out.push_back(required_field(field + ".message", "must be non-empty if specified"));
    if (message.is_string() && message.get_ref<const std::string&>().size() > most_bytes) {
      out.push_back(too_long_field(field + ".message", most_bytes));
    }
    const std::string id(text(device, "resourceID"));
    if (!seen.insert(id).second) out.push_back(duplicate_field(field + ".resourceID", id));
  }
  return out;
}

// What a status says of containers that are not in the spec is not checked (issue 124915).
FieldMistakes wrong_allocations(const Object& pod, const StatusList& list) {
  FieldMistakes out;
  std::size_t at = 0;
  for (const Object& status : member(pod, "status", list.statuses)) {
    const std::string field =
        std::string("status.") + list.statuses + "[" + std::to_string(at++) + "]" + ".allocatedResourcesStatus";
    const Object& allocations = member(status, "allocatedResourcesStatus");
    if (list.containers == nullptr) {
      if (!allocations.empty()) out.push_back(forbidden_field(field, "must not be specified in container status"));
      continue;
    }
    const Object* container = named(member(pod, "spec", list.containers), text(status, "name"));
    std::size_t number = 0;
    for (const Object& allocation : allocations) {
      const std::string place = field + "[" + std::to_string(number++) + "]";
      const std::string resource(text(allocation, "name"));
      const bool of_claim = resource.starts_with("claim:");
      const bool known =
          container == nullptr || (of_claim ? has_claim(*container, resource)
                                            : !member(*container, "resources", "requests", resource).is_null());
      if (!known) {
        out.push_back(invalid_field(
            place + ".name", resource,
            of_claim ? "must match one of the container's resource claims as 'claim:<claimName>/<requestName>' when "
                       "container.resources.claims[*].request is set or 'claim:<claimName>' when it is empty"
                     : "must match one of the container's resource requests"));
      }
      append(out, wrong_health(member(allocation, "resources"), place + ".resources"));
    }
  }
  return out;
}

FieldMistakes wrong_claim_statuses(const Object& pod) {
  FieldMistakes out;
  const Object& claims = member(pod, "spec", "resourceClaims");
  std::size_t at = 0;
  for (const Object& status : member(pod, "status", "resourceClaimStatuses")) {
    const std::string field = "status.resourceClaimStatuses[" + std::to_string(at++) + "]";
    const std::string name(text(status, "name"));
    if (named(claims, name) == nullptr) {
      out.push_back(invalid_field(field + ".name", name, "must match the name of an entry in `spec.resourceClaims`"));
    }
    const Object& made = member(status, "resourceClaimName");
    if (!made.is_string()) continue;
    append(out,
           invalid_field_each(field + ".resourceClaimName", Shown(made), wrong_dns_subdomain(made.get<std::string>())));
  }
  return out;
}

}  // namespace

FieldMistakes wrong_pod_status_change(const Object& pod, const Object& before, const Release& release) {
  FieldMistakes out = wrong_conditions(pod, release);
  append(out, wrong_nomination(pod, before, release));
  if (release.does(Behaviour::pod_generation_observed)) {
    append(out, negative_generation(member(pod, "status"), "status"));
  }
  const std::string quality(text(pod, "status", "qosClass"));
  if (release.does(Behaviour::quality_unchangeable) && quality != text(before, "status", "qosClass")) {
    out.push_back(invalid_field("status.qosClass", quality, "field is immutable"));
  }
  append(out, wrong_states(pod, before, release));
  append(out, wrong_claim_statuses(pod));
  append(out, wrong_extended_claim(pod));
  if (release.does(Behaviour::pod_addresses_checked)) {
    append(out, wrong_addresses(pod, before, "podIPs", release));
    if (release.does(Behaviour::addresses_of_hosts)) append(out, wrong_host_addresses(pod, before, release));
  }
  for (const StatusList& list : status_lists) {
    if (release.does(Behaviour::users_of_containers)) append(out, wrong_users(pod, list.statuses, release));
  }
  for (const StatusList& list : status_lists) {
    if (release.does(Behaviour::device_health)) append(out, wrong_allocations(pod, list));
  }
  return out;
}

}  // namespace nodebound::validation
