#include <optional>

#include "fakes/apiserver/api_server.h"
#include "fakes/apiserver/status.h"
#include "fakes/apiserver/write/admission_changes.h"
#include "fakes/apiserver/write/pod_condition.h"
#include "fakes/wire/timestamp.h"

namespace nodebound {
namespace {

// The DeleteOptions of the body, or of the query if there is no body.
Result<Object> delete_options(const HttpRequest& request, const Object& body) {
  if (!request.body.empty()) return body;
  Object options = Object::object();
  const std::string grace = query_parameter(request.target, "gracePeriodSeconds");
  if (!grace.empty()) {
    const Object seconds = Object::parse(grace, nullptr, false);
    if (!seconds.is_number_integer()) {
      return input_error("", "strconv.ParseInt: parsing " + go_quoted(grace) + ": invalid syntax");
    }
    options["gracePeriodSeconds"] = seconds;
  }
  const std::string policy = query_parameter(request.target, "propagationPolicy");
  if (!policy.empty()) options["propagationPolicy"] = policy;
  const std::vector<std::string> dry_run = query_parameters(request.target, "dryRun");
  if (!dry_run.empty()) options["dryRun"] = dry_run;
  return options;
}

// Invalid DeleteOptions (apimachinery's ValidateDeleteOptions).
std::vector<FieldMistake> mistakes_of(const Object& options) {
  std::vector<FieldMistake> out;
  const std::string policy(text(options, "propagationPolicy"));
  if (!policy.empty() && member(options, "orphanDependents").is_boolean()) {
    out.push_back(
        invalid_field("propagationPolicy", policy, "orphanDependents and deletionPropagation cannot be both set"));
  }
  if (!policy.empty() && policy != "Foreground" && policy != "Background" && policy != "Orphan") {
    out.push_back(unsupported_field("propagationPolicy", policy, {"Foreground", "Background", "Orphan", "nil"}));
  }
  if (std::optional<FieldMistake> dry_run = mistake_of_dry_run(member(options, "dryRun"))) out.push_back(*dry_run);
  return out;
}

// Which precondition of the client does not hold; nothing if all hold.
std::optional<std::string> unmet_precondition(const Object& object, const Object& options) {
  const Object& wanted = member(options, "preconditions");
  const std::string uid(text(object, "metadata", "uid"));
  const std::string version(text(object, "metadata", "resourceVersion"));
  const std::string wanted_uid(text(wanted, "uid"));
  const std::string wanted_version(text(wanted, "resourceVersion"));
  if (!wanted_uid.empty() && wanted_uid != uid) {
    return "the UID in the precondition (" + wanted_uid + ") does not match the UID in record (" + uid +
           "). The object might have been deleted and then recreated";
  }
  if (wanted_version.empty() || wanted_version == version) return std::nullopt;
  return "the ResourceVersion in the precondition (" + wanted_version +
         ") does not match the ResourceVersion in record (" + version + "). The object might have been modified";
}

bool is_pod(const ApiResource& resource) {
  return resource.group.empty() && resource.resource == "pods";
}

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

/// How a deletion ends an object (BeforeDelete in apiserver's registry/rest/delete.go).
struct Ending {
  bool pending = false;               ///< a deletion is already under way, and this one does not make it sooner
  std::optional<std::int64_t> grace;  ///< the grace period; nothing if the object has none and goes at once
  std::int64_t at = 0;                ///< when the object ends, in Unix seconds
};

Ending ending_of(const ApiResource& resource, const Object& object, const Object& options, std::int64_t now) {
  if (!is_pod(resource)) return {false, {}, now};
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

void count_generation_of_deleted(Object& metadata) {
  const Object& generation = member(metadata, "generation");
  if (metadata.contains("deletionTimestamp") || !generation.is_number_integer()) return;
  metadata["generation"] = generation.get<std::int64_t>() + 1;
}

// Adds the finalizers for the garbage collector's work.
void add_finalizers(Object& object, const Object& options) {
  const std::string_view policy = text(options, "propagationPolicy");
  const bool orphan = policy == "Orphan" || is_true(options, "orphanDependents");
  if (policy.empty() && !orphan) return;
  Object kept = Object::array();
  for (const Object& own : member(object, "metadata", "finalizers")) {
    if (own != "orphan" && own != "foregroundDeletion") kept.push_back(own);
  }
  if (orphan) kept.push_back("orphan");
  if (policy == "Foreground") kept.push_back("foregroundDeletion");
  object["metadata"].erase("finalizers");
  if (!kept.empty()) object["metadata"]["finalizers"] = kept;
}

}  // namespace

/// The result of a deletion.
struct ApiServer::Removed {
  std::optional<HttpResponse> refusal;
  bool not_found_by_admission = false;
  Object object;
  bool waits = false;  ///< the object stays until its grace period is over or its finalizers are removed
};

std::optional<ApiServer::Removed> ApiServer::not_removable(const Call& call, const ObjectKey& key,
                                                           const Object& before) const {
  static const Object nothing;
  Removed out;
  if (options_.namespaces_first && key.group.empty() && key.resource == "namespaces" &&
      is_immortal_namespace(key.name)) {
    out.refusal = forbidden_by_admission(*call.resource, key.name, "this namespace may not be deleted");
    return out;
  }
  const AdmissionRequest request = admission_request(call, Operation::remove, nothing, before);
  const Admission refusal = refused(request);
  if (!refusal) return std::nullopt;
  out.not_found_by_admission = refusal->status == 404;
  out.refusal = refusal_response(request, *refusal, rules_);
  return out;
}

ApiServer::Removed ApiServer::remove_object(const Call& call, const ObjectKey& key, const Object& options,
                                            bool admitted) {
  Removed out;
  const Object before = served_as(*call.resource, *store_.cluster().find(key));
  if (std::optional<std::string> unmet = unmet_precondition(before, options)) {
    out.refusal = conflict(call.resource->group, call.resource->kind, key.name, *unmet);
    return out;
  }
  const Ending ending = ending_of(*call.resource, before, options, seconds_of(now()).value_or(0));
  // Nothing changes, so neither admission nor finalizers are involved.
  if (ending.pending) {
    out.object = before;
    out.waits = true;
    return out;
  }
  if (!admitted) {
    if (std::optional<Removed> refusal = not_removable(call, key, before)) return std::move(*refusal);
  }
  const bool ends_a_namespace = options_.namespaces_first && key.group.empty() && key.resource == "namespaces";
  Object after = before;
  Object& metadata = after["metadata"];
  add_finalizers(after, options);
  const bool has_finalizers = !member(metadata, "finalizers").empty();
  if (ends_a_namespace) {
    out.waits = !member(after, "spec", "finalizers").empty();
    if (out.waits) {
      after["status"]["phase"] = "Terminating";
      if (!metadata.contains("deletionTimestamp")) metadata["deletionTimestamp"] = now();
    }
  } else if (ending.grace || has_finalizers) {
    const std::int64_t grace = ending.grace.value_or(0);
    out.waits = grace > 0 || has_finalizers;
    count_generation_of_deleted(metadata);
    if (ending.grace || !metadata.contains("deletionTimestamp")) {
      metadata["deletionTimestamp"] = timestamp_of_seconds(ending.at);
    }
    metadata["deletionGracePeriodSeconds"] = grace;
  }
  const bool changed = after != before;
  if (!call.dry_run && changed) after = *store_.put(key, std::move(after));
  if (!call.dry_run && !out.waits) erase(key);
  out.object = std::move(after);
  return out;
}

// An evicted pod gets a condition that says so (addConditionAndDeletePod in pkg/registry/core/pod/storage/eviction.go).
std::optional<HttpResponse> ApiServer::end_pod(const Call& call, Object options) {
  const ObjectKey key = call.key();
  Object pod = served_as(*call.resource, *store_.cluster().find(key));
  if (defaults_.does(Behaviour::disruption_target) && !call.dry_run) {
    if (std::optional<std::string> unmet = unmet_precondition(pod, options)) {
      return conflict(call.resource->group, call.resource->kind, key.name, *unmet);
    }
    if (member(options, "preconditions").is_object()) options["preconditions"].erase("resourceVersion");
    const bool said = set_condition(pod, {{"type", "DisruptionTarget"},
                                          {"status", "True"},
                                          {"reason", "EvictionByEvictionAPI"},
                                          {"message", "Eviction API: evicting"},
                                          {"lastProbeTime", nullptr},
                                          {"lastTransitionTime", now()}});
    if (said) store_.put(key, std::move(pod));
  }
  return remove_object(call, key, options, true).refusal;
}

void ApiServer::erase(const ObjectKey& key) {
  store_.erase(key);
  if (!key.group.empty()) return;
  if (key.resource == "services" && defaults_.does(Behaviour::endpoints_go_with_service)) {
    const ObjectKey endpoints{"", "endpoints", key.namespace_, key.name};
    if (store_.cluster().find(endpoints) != nullptr) store_.erase(endpoints);
  }
  if (key.resource != "namespaces") return;
  for (const ApiResource& resource : resources_->all()) {
    if (!resource.namespaced) continue;
    std::vector<ObjectKey> inside;
    store_.cluster().each(resource.group, resource.resource, key.name,
                          [&](const ObjectKey& own, const Object&) { inside.push_back(own); });
    for (const ObjectKey& own : inside) store_.erase(own);
  }
}

HttpResponse ApiServer::remove(const Call& call) {
  const Result<Object> options = delete_options(call.request, call.body);
  if (!options) return bad_request(options.error().what);
  const std::vector<FieldMistake> mistakes = mistakes_of(*options);
  if (!mistakes.empty()) return invalid(*call.resource->release, "meta.k8s.io", "DeleteOptions", "", mistakes);
  const Attributes& attributes = call.attributes;
  if (store_.cluster().find(call.key()) == nullptr) {
    return not_found(attributes.api_group, attributes.resource, attributes.name);
  }
  const Removed removed = remove_object(call, call.key(), *options);
  if (removed.refusal) return *removed.refusal;
  // Only a client that uses the old field orphanDependents gets 202 if the object still exists.
  const bool accepted = removed.waits && member(*options, "orphanDependents") == false;
  if (removed.waits || call.resource->answers_deleted) return answer(call, accepted ? 202 : 200, removed.object);
  Object details = status_details(attributes.api_group, attributes.resource, attributes.name);
  details["uid"] = member(removed.object, "metadata", "uid");
  return object_response(200, {{"kind", "Status"},
                               {"apiVersion", "v1"},
                               {"metadata", Object::object()},
                               {"status", "Success"},
                               {"details", details}});
}

HttpResponse ApiServer::remove_collection(const Call& call) {
  const Result<Object> options = delete_options(call.request, call.body);
  if (!options) return bad_request(options.error().what);
  const std::vector<FieldMistake> mistakes = mistakes_of(*options);
  if (!mistakes.empty()) return invalid(*call.resource->release, "meta.k8s.io", "DeleteOptions", "", mistakes);
  const auto listed = read_list_options(*call.resource, call.request.target, {});
  if (!listed) return listed.error();
  const Attributes& attributes = call.attributes;
  const auto objects = objects_of(call, *listed, store_.version());
  std::vector<ObjectPtr> items;
  for (const ObjectPtr& object : selected(call, *listed, *objects)) {
    // For deletecollection, admission sees each object but no name, and objects that are not found are skipped.
    const ObjectKey key{attributes.api_group, attributes.resource, std::string(text(*object, "metadata", "namespace")),
                        std::string(text(*object, "metadata", "name"))};
    const Removed removed = remove_object(call, key, *options);
    if (removed.not_found_by_admission) continue;
    if (removed.refusal) return *removed.refusal;
    items.push_back(object);
  }
  const Object metadata = {{"resourceVersion", std::to_string(store_.version())}};
  return json_response(200, represented_list(*call.resource, call.as, items, metadata, now()));
}

}  // namespace nodebound
