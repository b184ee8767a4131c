#include "fakes/apiserver/write/remove.h"

#include <algorithm>
#include <sstream>

#include "fakes/apiserver/call.h"
#include "fakes/apiserver/pipeline/admission.h"
#include "fakes/apiserver/read/read.h"
#include "fakes/apiserver/resources/strategy.h"
#include "fakes/apiserver/server_state.h"
#include "fakes/apiserver/status.h"
#include "fakes/apiserver/webhooks/webhook_admission.h"
#include "fakes/apiserver/webhooks/webhook_talk.h"
#include "fakes/apiserver/write/write.h"
#include "fakes/wire/timestamp.h"
#include "reference/authorizer/query_flag.h"

namespace nodebound::apiserver {
namespace {

// The DeleteOptions of the body, or of the query if there is no body.
Result<Object> delete_options(const HttpRequest& request, const Object& body) {
  if (!request.body.empty()) return body;
  Object options = Object::object();
  if (const std::vector<std::string> all = query_parameters(request.target, "gracePeriodSeconds"); !all.empty()) {
    const std::string& grace = all.front();
    const Object seconds = Object::parse(grace, nullptr, false);
    if (!seconds.is_number_integer()) {
      return input_error("", "strconv.ParseInt: parsing " + go_quoted(grace) + ": invalid syntax");
    }
    options["gracePeriodSeconds"] = seconds;
  }
  const std::string policy = query_parameter(request.target, "propagationPolicy");
  if (!query_parameters(request.target, "propagationPolicy").empty()) options["propagationPolicy"] = policy;
  if (const auto orphans = query_flag(request.target, "orphanDependents")) options["orphanDependents"] = *orphans;
  for (const char* field : {"uid", "resourceVersion"}) {
    const std::string wanted = query_parameter(request.target, field);
    if (!wanted.empty()) options["preconditions"][field] = wanted;
  }
  const std::vector<std::string> dry_run = query_parameters(request.target, "dryRun");
  if (!dry_run.empty()) options["dryRun"] = dry_run;
  return options;
}

// Invalid DeleteOptions (apimachinery's ValidateDeleteOptions).
std::vector<validation::FieldMistake> mistakes_of(const Object& options) {
  std::vector<validation::FieldMistake> out;
  const std::string policy(text(options, "propagationPolicy"));
  const bool has_policy = member(options, "propagationPolicy").is_string();
  if (has_policy && member(options, "orphanDependents").is_boolean()) {
    out.push_back(validation::invalid_field("propagationPolicy", policy,
                                            "orphanDependents and deletionPropagation cannot be both set"));
  }
  if (has_policy && policy != "Foreground" && policy != "Background" && policy != "Orphan") {
    out.push_back(
        validation::unsupported_field("propagationPolicy", policy, {"Foreground", "Background", "Orphan", "nil"}));
  }
  if (std::optional<validation::FieldMistake> dry_run = mistake_of_dry_run(member(options, "dryRun")))
    out.push_back(*dry_run);
  return out;
}

Ending ending_of(const Strategy& strategy, const Object& object, const Object& options, std::int64_t now) {
  return strategy.ending == nullptr ? Ending{.at = now} : strategy.ending(object, options, now);
}

void count_generation_of_deleted(Object& metadata) {
  const Object& generation = member(metadata, "generation");
  if (metadata.contains("deletionTimestamp") || !generation.is_number_integer()) return;
  metadata["generation"] = generation.get<std::int64_t>() + 1;
}

bool is_collectors(const Object& finalizer) {
  return finalizer == "orphan" || finalizer == "foregroundDeletion";
}

bool orphans_by_default(const Call& call) {
  std::istringstream versions{std::string(call.strategy->orphaning)};
  for (std::string version; versions >> version;) {
    if (version == call.resource->version) return true;
  }
  return false;
}

// Which finalizer lets the garbage collector do its work first; empty if none does. A delete says so, or else the
// object, or else the kind.
std::string collectors_finalizer(const Call& call, const Object& object, const Object& options) {
  if (const Object& orphans = member(options, "orphanDependents"); orphans.is_boolean()) {
    return orphans.get<bool>() ? "orphan" : "";
  }
  if (const std::string_view policy = text(options, "propagationPolicy"); !policy.empty()) {
    return policy == "Orphan" ? "orphan" : policy == "Foreground" ? "foregroundDeletion" : "";
  }
  const Object& finalizers = member(object, "metadata", "finalizers");
  const auto own = std::find_if(finalizers.begin(), finalizers.end(), is_collectors);
  if (own != finalizers.end()) return own->get<std::string>();
  return orphans_by_default(call) ? "orphan" : "";
}

void set_collectors_finalizer(const Call& call, Object& object, const Object& options) {
  if (call.strategy->no_dependents) return;
  const std::string finalizer = collectors_finalizer(call, object, options);
  Object kept = Object::array();
  std::size_t present = 0;
  for (const Object& own : member(object, "metadata", "finalizers")) {
    if (!is_collectors(own)) kept.push_back(own);
    if (own == finalizer) ++present;
  }
  const std::size_t before = member(object, "metadata", "finalizers").size();
  if (before == kept.size() + present && (present > 0 || finalizer.empty())) return;
  if (!finalizer.empty()) kept.push_back(finalizer);
  object["metadata"].erase("finalizers");
  if (!kept.empty()) object["metadata"]["finalizers"] = kept;
}

// Namespaces have a storage of their own, which compares preconditions itself
// (pkg/registry/core/namespace/storage/storage.go).
std::optional<std::string> unmet_for_namespace(const Object& namespace_, const Object& options) {
  for (const auto& [field, name] : {std::pair{"uid", "UID"}, std::pair{"resourceVersion", "ResourceVersion"}}) {
    const Object& wanted = member(options, "preconditions", field);
    const std::string own(text(namespace_, "metadata", field));
    if (!wanted.is_string() || wanted == own) continue;
    return "Precondition failed: " + std::string(name) + " in precondition: " + wanted.get<std::string>() + ", " +
           name + " in object meta: " + own;
  }
  return std::nullopt;
}

bool is_namespace(const Call& call) {
  return call.resource->group.empty() && call.resource->resource == "namespaces";
}

std::optional<HttpResponse> refused_by_precondition(const Call& call, const std::string& name, const Object& before,
                                                    const Object& options) {
  const ApiResource& resource = *call.resource;
  const bool own = is_namespace(call);
  const std::optional<std::string> unmet =
      own ? unmet_for_namespace(before, options) : unmet_precondition(before, options);
  if (!unmet) return std::nullopt;
  return conflict(resource.group, own ? resource.resource : resource.kind, name, *unmet);
}

// A Namespace is only deleted as the one that was found.
Object options_for_webhooks(const Call& call, const Object& before, const Object& options) {
  if (call.talk == nullptr || !is_namespace(call)) return options;
  Object out = options.is_object() ? options : Object::object();
  out["preconditions"].emplace("uid", member(before, "metadata", "uid"));
  return out;
}

std::optional<Removed> not_removable(const ServerState& server, const Call& call, const ObjectKey& key,
                                     const Object& before, const Object& options) {
  static const Object nothing;
  Removed out;
  const WriteContext write = server.write_context(call);
  if (write.whole_cluster && call.strategy->undeletable != nullptr) {
    out.refusal = call.strategy->undeletable(write, key.name);
    if (out.refusal) return out;
  }
  const AdmissionRequest request = admission_request(call, Operation::remove, nothing, before);
  const auto plugins = [&]() -> std::optional<HttpResponse> {
    const Admission refusal = admission_of(server, request, AdmissionPhase::mutation);
    if (!refusal) return std::nullopt;
    out.not_found_by_admission = refusal->status == 404;
    return refusal_response(server.rules, request, *refusal);
  };
  Object none;
  const Object shown = options_for_webhooks(call, before, options);
  const std::string& name = call.attributes.name;
  out.refusal = mutated(server, call, {Operation::remove, none, before, &shown, name}, plugins);
  if (!out.refusal) {
    out.refusal = refused_by_validators(server, call, {Operation::remove, nothing, before, &shown, name});
  }
  return out.refusal ? std::optional(std::move(out)) : std::nullopt;
}

}  // namespace

std::optional<std::string> unmet_precondition(const Object& object, const Object& options) {
  const Object& wanted = member(options, "preconditions");
  const std::string uid(text(object, "metadata", "uid"));
  const std::string version(text(object, "metadata", "resourceVersion"));
  const std::string wanted_uid(text(wanted, "uid"));
  const std::string wanted_version(text(wanted, "resourceVersion"));
  // An empty text is a precondition, too, which nothing meets.
  if (member(wanted, "uid").is_string() && wanted_uid != uid) {
    return "the UID in the precondition (" + wanted_uid + ") does not match the UID in record (" + uid +
           "). The object might have been deleted and then recreated";
  }
  if (!member(wanted, "resourceVersion").is_string() || wanted_version == version) return std::nullopt;
  return "the ResourceVersion in the precondition (" + wanted_version +
         ") does not match the ResourceVersion in record (" + version + "). The object might have been modified";
}

Removed remove_object(ServerState& server, const Call& call, const ObjectKey& key, const Object& options,
                      bool admitted) {
  Removed out;
  const Object before = served_as(*call.resource, *server.store.cluster().find(key));
  out.refusal = refused_by_precondition(call, key.name, before, options);
  if (out.refusal) return out;
  const Ending ending = ending_of(*call.strategy, before, options, seconds_of(call.now).value_or(0));
  // Nothing changes, so neither admission nor finalizers are involved.
  if (ending.pending) {
    out.object = before;
    out.waits = true;
    return out;
  }
  if (!admitted) {
    if (std::optional<Removed> refusal = not_removable(server, call, key, before, options)) return std::move(*refusal);
  }
  Object after = before;
  Object& metadata = after["metadata"];
  set_collectors_finalizer(call, after, options);
  const bool has_finalizers = !member(metadata, "finalizers").empty();
  if (server.options.namespaces_first && call.strategy->terminate != nullptr) {
    out.waits = call.strategy->terminate(server.write_context(call), after);
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
  if (!call.dry_run && changed) after = *server.store.put(key, std::move(after)).open();
  if (!call.dry_run && !out.waits) erase_object(server, key, *call.strategy);
  out.object = std::move(after);
  return out;
}

void erase_object(ServerState& server, const ObjectKey& key, const Strategy& strategy) {
  server.store.erase(key);
  if (strategy.erased != nullptr) strategy.erased(server, key);
}

HttpResponse answer_delete(ServerState& server, const Call& call) {
  const Result<Object> options = delete_options(call.request, call.body);
  if (!options) return bad_request(options.error().what);
  const std::vector<validation::FieldMistake> mistakes = mistakes_of(*options);
  if (!mistakes.empty()) return invalid(*call.resource->release, "meta.k8s.io", "DeleteOptions", "", mistakes);
  const Attributes& attributes = call.attributes;
  if (auto refusal = impossible_name(attributes.name)) return *refusal;
  if (server.store.cluster().find(call.key()) == nullptr) {
    return not_found(attributes.api_group, attributes.resource, attributes.name);
  }
  const Removed removed = remove_object(server, call, call.key(), *options);
  if (removed.refusal) return *removed.refusal;
  // Only a client that uses the old field orphanDependents gets 202 if the object still exists.
  const bool accepted = removed.waits && member(*options, "orphanDependents") == false;
  if (removed.waits || call.resource->answers_deleted)
    return answer_object(server, call, accepted ? 202 : 200, removed.object);
  Object details = status_details(attributes.api_group, attributes.resource, attributes.name);
  details["uid"] = member(removed.object, "metadata", "uid");
  return object_response(200, {{"kind", "Status"},
                               {"apiVersion", "v1"},
                               {"metadata", Object::object()},
                               {"status", "Success"},
                               {"details", details}});
}

HttpResponse answer_delete_collection(ServerState& server, const Call& call) {
  const Result<Object> options = delete_options(call.request, call.body);
  if (!options) return bad_request(options.error().what);
  const std::vector<validation::FieldMistake> mistakes = mistakes_of(*options);
  if (!mistakes.empty()) return invalid(*call.resource->release, "meta.k8s.io", "DeleteOptions", "", mistakes);
  const Attributes& attributes = call.attributes;
  const bool namespaces = call.resource->namespaced && attributes.namespace_.empty();
  auto listed =
      read_list_options(*call.resource, call.request.target, {.all_namespaces = namespaces, .in_pages = true});
  if (!listed) return listed.error();
  if (listed->continuation && !namespaces) listed->continuation->namespace_ = call.key().namespace_;
  const std::uint64_t version = version_of(*listed).value_or(server.store.version());
  const auto objects = objects_of(server, call, *listed, version);
  if (!objects) return objects.error();
  const ListPage page = listed_page(*objects, *listed, version, namespaces);
  const auto key_of = [&](const Store::Listed& item) {
    return ObjectKey{attributes.api_group, attributes.resource, item.namespace_, item.name};
  };
  if (call.talk != nullptr) {
    // Nothing goes before all webhooks have answered.
    for (const Store::Listed& item : page.items) {
      const Object before = served_as(*call.resource, *item.object.open());
      if (ending_of(*call.strategy, before, *options, seconds_of(call.now).value_or(0)).pending) continue;
      static_cast<void>(not_removable(server, call, key_of(item), before, *options));
    }
    if (call.talk->waits()) return {};
  }
  for (const Store::Listed& item : page.items) {
    // For deletecollection, admission sees each object but no name. What it does not find stays, and is shown
    // nonetheless.
    const Removed removed = remove_object(server, call, key_of(item), *options);
    if (removed.refusal && !removed.not_found_by_admission) return *removed.refusal;
  }
  return json_response(200, represented_list(*call.resource, call.as, page.items, page.metadata, call.now));
}

}  // namespace nodebound::apiserver
