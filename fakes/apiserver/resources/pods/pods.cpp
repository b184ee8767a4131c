#include <algorithm>
#include <array>
#include <functional>

#include "fakes/apiserver/resources/pods/admission.h"
#include "fakes/apiserver/resources/pods/columns.h"
#include "fakes/apiserver/resources/pods/deprecated_volumes.h"
#include "fakes/apiserver/resources/pods/images.h"
#include "fakes/apiserver/resources/pods/resize.h"
#include "fakes/apiserver/resources/pods/subresources.h"
#include "fakes/apiserver/resources/registry.h"
#include "fakes/apiserver/write/each_item.h"
#include "fakes/apiserver/write/update_strategy.h"
#include "fakes/apiserver/write/write_context.h"
#include "fakes/validation/kinds.h"
#include "fakes/wire/timestamp.h"
#include "reference/cluster/names.h"
#include "reference/release/behaviour_ids.h"

namespace nodebound::apiserver {

const char* pull_policy_of(std::string_view image) {
  if (image.find('@') != std::string_view::npos) return "IfNotPresent";
  const std::string_view name = image.substr(image.rfind('/') == std::string_view::npos ? 0 : image.rfind('/') + 1);
  const std::size_t colon = name.find(':');
  return colon == std::string_view::npos || name.substr(colon + 1) == "latest" ? "Always" : "IfNotPresent";
}

namespace {

// decoding -----------------------------------------------------------------------------------------------------------

void decode_container(Object& container, bool host_network) {
  if (text(container, "imagePullPolicy").empty()) {
    container["imagePullPolicy"] = pull_policy_of(text(container, "image"));
  }
  if (member(container, "resources", "limits").is_object()) {
    Object& resources = container["resources"];
    for (const auto& [name, quantity] : resources["limits"].items()) {
      if (member(resources, "requests", name).is_null()) resources["requests"][name] = quantity;
    }
  }
  if (!host_network) return;
  each_item(container, "ports", [](Object& port) {
    if (member(port, "hostPort").is_null()) port["hostPort"] = member(port, "containerPort");
  });
}

// The status has an address twice.
void decode_addresses(Object& status) {
  const std::string first(text(status, "podIP"));
  const Object& all = member(status, "podIPs");
  if (first.empty() && !all.empty()) status["podIP"] = text(all[0], "ip");
  if (!first.empty() && (all.empty() || text(all[0], "ip") != first)) status["podIPs"] = {{{"ip", first}}};
}

void decode_pod(const WriteContext& write, Object& pod) {
  if (member(pod, "status").is_object() && write.defaults.does(Behaviour::addresses_of_pods)) {
    decode_addresses(pod["status"]);
  }
  if (!member(pod, "spec").is_object()) return;
  Object& spec = pod["spec"];
  const bool host_network = is_true(spec, "hostNetwork");
  for (const char* list : {"containers", "initContainers", "ephemeralContainers"}) {
    each_item(spec, list, [&](Object& container) { decode_container(container, host_network); });
  }
  // The field's old name; conversion still reads and writes it.
  if (text(spec, "serviceAccountName").empty() && !text(spec, "serviceAccount").empty()) {
    spec["serviceAccountName"] = spec["serviceAccount"];
  }
  if (!text(spec, "serviceAccountName").empty()) spec["serviceAccount"] = spec["serviceAccountName"];
  if (text(spec, "nodeName").empty()) spec.erase("nodeName");
  each_item(spec, "volumes", [](Object& volume) {
    const Object& projected = member(volume, "projected");
    if (projected.is_object() && member(projected, "sources").empty()) volume["projected"]["sources"] = nullptr;
  });
}

void prepare_pod(const WriteContext&, Object& pod) {
  if (text(pod, "status", "qosClass").empty())
    pod["status"]["qosClass"] = validation::quality_of_service(member(pod, "spec"));
}

// fields behind feature gates (DropDisabledPodFields in pkg/api/pod/util.go) ------------------------------------------

void drop_resource_claims(const WriteContext& write, const Object& before, Object& pod) {
  if (write.defaults.does(Behaviour::pod_resource_claims) || !member(before, "spec", "resourceClaims").empty()) return;
  const bool keeps_status = !before.is_null() && !write.defaults.does(Behaviour::gated_pod_status_dropped);
  if (member(pod, "status").is_object() && !keeps_status) pod["status"].erase("resourceClaimStatuses");
  Object& spec = pod["spec"];
  spec.erase("resourceClaims");
  for (const char* list : {"containers", "initContainers"}) {
    each_item(spec, list, [](Object& container) {
      if (member(container, "resources").is_object()) container["resources"].erase("claims");
    });
  }
}

bool projects(const Object& pod, const char* kind) {
  for (const Object& volume : member(pod, "spec", "volumes")) {
    for (const Object& source : member(volume, "projected", "sources")) {
      if (!member(source, kind).is_null()) return true;
    }
  }
  return false;
}

void drop_projections(const WriteContext& write, const Object& before, Object& spec) {
  for (const auto& [kind, behaviour] : {std::pair("serviceAccountToken", Behaviour::projected_service_account_tokens),
                                        std::pair("clusterTrustBundle", Behaviour::projected_trust_bundles),
                                        std::pair("podCertificate", Behaviour::projected_pod_certificates)}) {
    if (write.defaults.does(behaviour) || projects(before, kind)) continue;
    each_item(spec, "volumes", [kind = kind](Object& volume) {
      if (!member(volume, "projected").is_object()) return;
      each_item(volume["projected"], "sources", [kind](Object& source) { source.erase(kind); });
    });
  }
}

// A pod that already uses a disabled feature keeps it.
void drop_disabled_fields(const WriteContext& write, const Object& before, Object& pod) {
  if (!member(pod, "spec").is_object()) return;
  drop_resource_claims(write, before, pod);
  drop_projections(write, before, pod["spec"]);
}

// validation ---------------------------------------------------------------------------------------------------------

validation::FieldMistakes wrong_new_pod(const Object& pod) {
  if (member(pod, "spec", "ephemeralContainers").empty()) return {};
  return {validation::forbidden_field("spec.ephemeralContainers", "cannot be set on create")};
}

// updates ------------------------------------------------------------------------------------------------------------

// Old kubelets corrupt the owner references of pods and drop their QoS class.
Object prepared_pod_status(const WriteContext& write, const Object& before, Object submitted) {
  submitted = prepared_status(write, before, std::move(submitted));
  if (!submitted.contains("status")) submitted["status"] = Object::object();
  keep_metadata(submitted, before, {"ownerReferences"});
  const Object& quality = member(before, "status", "qosClass");
  const bool dropped = text(submitted, "status", "qosClass").empty() && quality.is_string();
  if (write.defaults.does(Behaviour::quality_kept) && dropped) submitted["status"]["qosClass"] = quality;
  return submitted;
}

// A resize changes only the resources of containers. Validation refuses other changes to the list of containers.
Object resized(const WriteContext&, const Object& before, Object submitted) {
  Object out = before;
  keep_metadata(out, submitted, {"managedFields"});
  for (const char* list : {"containers", "initContainers"}) {
    const Object& asked = member(submitted, "spec", list);
    const Object& own = member(before, "spec", list);
    if (asked.size() != own.size()) return submitted;
    for (std::size_t i = 0; i < asked.size(); ++i) {
      if (text(asked[i], "name") != text(own[i], "name")) return submitted;
      for (const char* field : {"resources", "resizePolicy"}) keep_field(out["spec"][list][i], asked[i], field);
    }
  }
  return out;
}

Object with_ephemeral_containers(const WriteContext&, const Object& before, Object submitted) {
  Object out = before;
  keep_metadata(out, submitted, {"managedFields"});
  keep_field(out["spec"], member(submitted, "spec"), "ephemeralContainers");
  return out;
}

std::optional<HttpResponse> refused_resize(const WriteContext& write, const Object& before, const Object& after) {
  if (member(before, "spec") == member(after, "spec")) return std::nullopt;
  return refused_by_resize_validator(write, after);
}

// deletion -----------------------------------------------------------------------------------------------------------

// The grace period of a pod (CheckGracefulDelete in pkg/registry/core/pod/strategy.go): 0 if the pod is not bound to a
// Node or has ended.
std::int64_t grace_of(const Object& pod, const Object& options) {
  const std::string_view phase = text(pod, "status", "phase");
  if (text(pod, "spec", "nodeName").empty() || phase == "Succeeded" || phase == "Failed") return 0;
  const Object& asked = member(options, "gracePeriodSeconds");
  const Object& own = member(pod, "spec", "terminationGracePeriodSeconds");
  const Object& grace = asked.is_number_integer() ? asked : own;
  const std::int64_t seconds = grace.is_number_integer() ? grace.get<std::int64_t>() : 30;
  return seconds < 0 ? 1 : seconds;
}

Ending ending_of_pod(const Object& object, const Object& options, std::int64_t now) {
  const std::optional<std::int64_t> ends = seconds_of(text(object, "metadata", "deletionTimestamp"));
  if (!ends) {
    const std::int64_t grace = grace_of(object, options);
    return {false, grace, now + grace};
  }
  const Object& left = member(object, "metadata", "deletionGracePeriodSeconds");
  if (!left.is_number_integer() || left == 0) return {false, {}, now};
  const Object& asked = member(options, "gracePeriodSeconds");
  if (!asked.is_number_integer()) return {true, {}, 0};
  const std::int64_t seconds = asked < 0 ? 1 : asked.get<std::int64_t>();
  if (seconds >= left.get<std::int64_t>()) return {true, {}, 0};
  // The grace period counts from the first deletion, but does not end before now.
  const std::int64_t at = *ends - left.get<std::int64_t>() + seconds;
  if (at >= now) return {false, seconds, at};
  return {false, std::min<std::int64_t>(seconds, 1), now};
}

// the strategy -------------------------------------------------------------------------------------------------------

constexpr std::array pod_subresources = {
    SubresourceStrategy{
        .name = "status",
        .prepared = prepared_pod_status,
        .out_of_reach =
            [] {
              return FieldSet{{"f:spec"}, {"f:metadata", "f:deletionTimestamp"}, {"f:metadata", "f:ownerReferences"}};
            },
        .checks = {.change_in_release = validation::wrong_pod_status_change}},
    SubresourceStrategy{.name = "resize",
                        .prepared = resized,
                        .checks = {.change_in_release = validation::wrong_pod_resize},
                        .refused_change = refused_resize},
    SubresourceStrategy{.name = "ephemeralcontainers",
                        .prepared = with_ephemeral_containers,
                        .checks = {.change_in_release = validation::wrong_ephemeral_containers_change},
                        .refused_submitted = refused_by_service_account},
    SubresourceStrategy{.name = "binding", .wrong_body = wrong_binding, .create = bind_pod},
    SubresourceStrategy{.name = "eviction", .wrong_body = wrong_eviction, .create = evict_pod},
    SubresourceStrategy{.name = "log", .connect = read_log, .takes_dry_run = true},
    SubresourceStrategy{.name = "exec", .connect = enter_container, .connects_as_create = true},
    SubresourceStrategy{.name = "attach", .connect = enter_container, .connects_as_create = true},
    SubresourceStrategy{.name = "portforward", .connect = forward_port, .connects_as_create = true},
    SubresourceStrategy{.name = "proxy", .connect = proxy_pod, .named_with_port = true},
};

// Only new pods warn: later changes are those of controllers and kubelets.
std::vector<std::string> warnings_of_pod(const WriteContext& write, const Object& before, const Object& pod) {
  if (!before.is_null()) return {};
  std::vector<std::string> out;
  const std::vector<std::string> wrong = wrong_dns_label(text(pod, "metadata", "name"));
  if (!wrong.empty() && write.defaults.does(Behaviour::host_name_of_pod_warned)) {
    std::string all;
    for (const std::string& each : wrong) all += (all.empty() ? "" : " ") + each;
    out.push_back(
        "metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is "
        "recommended: [" +
        all + "]");
  }
  std::size_t at = 0;
  for (const Object& volume : member(pod, "spec", "volumes")) {
    const std::string path = "spec.volumes[" + std::to_string(at++) + "]";
    for (std::string& one : warnings_of_volume(*write.resource.release, volume, path)) out.push_back(std::move(one));
  }
  if (!write.defaults.does(Behaviour::addresses_warned_of)) return out;
  const auto warn = [&](std::vector<std::string> warnings) { std::ranges::move(warnings, std::back_inserter(out)); };
  const Object& servers = member(pod, "spec", "dnsConfig", "nameservers");
  warn(validation::warnings_of_addresses("spec.dnsConfig.nameservers", servers, *write.resource.release));
  at = 0;
  for (const Object& alias : member(pod, "spec", "hostAliases")) {
    const std::string field = "spec.hostAliases[" + std::to_string(at++) + "].ip";
    warn(validation::warnings_of_address(field, std::string(text(alias, "ip")), *write.resource.release));
  }
  return out;
}

constexpr std::array late_status_fields = {
    LateField{"extendedResourceClaimStatus", Behaviour::pod_extended_claim_status}};

}  // namespace

std::span<const Strategy> strategies::pods() {
  static const std::array kinds = {Strategy{
      .resource = "pods",
      .columns = pod_table(),
      .on_nodes = true,
      .subresources = pod_subresources,
      .late_status_fields = late_status_fields,
      .decode = decode_pod,
      .admit_first = give_service_account,
      .admit = admit_pod,
      .admit_last = admit_pod_last,
      .admit_change = admit_pod_change,
      .drop_disabled = drop_disabled_fields,
      .checks = {.in_release = validation::wrong_pod,
                 .created = wrong_new_pod,
                 .created_in_release = validation::wrong_token_paths,
                 .change_in_release = validation::wrong_pod_change},
      .warnings = warnings_of_pod,
      .prepare_for_create = prepare_pod,
      .ending = ending_of_pod,
  }};
  return kinds;
}

}  // namespace nodebound::apiserver
