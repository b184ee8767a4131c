#include <charconv>
#include <optional>

#include "fakes/apiserver/call.h"
#include "fakes/apiserver/pipeline/admission.h"
#include "fakes/apiserver/pipeline/forbidden.h"
#include "fakes/apiserver/resources/strategy.h"
#include "fakes/apiserver/server_state.h"
#include "fakes/apiserver/status.h"
#include "fakes/apiserver/webhooks/webhook_admission.h"
#include "fakes/apiserver/webhooks/webhook_talk.h"
#include "fakes/apiserver/write/computed_fields.h"
#include "fakes/apiserver/write/fields/field_writer.h"
#include "fakes/apiserver/write/validity.h"
#include "fakes/apiserver/write/write.h"

namespace nodebound::apiserver {
namespace {

HttpResponse already_exists(const Attributes& attributes, const std::string& name, const Object& existing) {
  const bool leaves = !text(existing, "metadata", "deletionTimestamp").empty();
  return failure(409, "AlreadyExists",
                 (leaves ? "object is being deleted: " : "") +
                     qualified_resource(attributes.api_group, attributes.resource) + " \"" + name + "\" already exists",
                 status_details(attributes.api_group, attributes.resource, name));
}

// A resourceVersion that is not a number is ignored when an object is created.
bool names_a_version(std::string_view version) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(version.data(), version.data() + version.size(), number);
  return error == std::errc() && end == version.data() + version.size() && number != 0;
}

void drop_submitted_status(const Call& call, Object& object) {
  if (call.resource->subresource("status") != nullptr && !call.resource->status_on_create) object.erase("status");
}

// The end of a generated name. Webhooks that have been asked about it know it already.
std::string name_suffix(const ServerState& server, const Call& call) {
  if (call.talk == nullptr) return server.store.next_suffix();
  if (!call.talk->identity) {
    call.talk->identity = {server.options.admission_webhooks.uid(), server.store.next_suffix()};
  }
  return call.talk->identity->name_suffix;
}

// What webhooks have seen already.
void identify(const Call& call, Object& object) {
  object["metadata"]["uid"] = call.talk->identity->uid;
  object["metadata"]["creationTimestamp"] = call.now;
}

// Who creates by an update or a patch is asked for that once the object is complete (withAuthorization in apiserver's
// pkg/endpoints/handlers/create.go).
std::optional<HttpResponse> unauthorized_create(const ServerState& server, const Call& call) {
  Attributes attributes = call.attributes;
  if (attributes.verb == "create") return std::nullopt;
  attributes.verb = "create";
  const Decision decision = server.chain->authorize(call.subject, attributes);
  if (decision.allowed()) return std::nullopt;
  if (!decision.error.empty()) return internal_error(decision.error);
  return forbidden(server.rules, call.subject, attributes, decision);
}

// Policies and validating webhooks see a new object as it will be stored.
std::optional<HttpResponse> refused_new_object(const ServerState& server, const Call& call, const WriteContext& write,
                                               Object object) {
  static const Object nothing;
  if (!has_validators(server, call)) return std::nullopt;
  drop_submitted_status(call, object);
  if (call.talk != nullptr) identify(call, object);
  prepare_for_create(write, object);
  const std::string name(text(object, "metadata", "name"));
  return refused_by_validators(server, call, {Operation::create, object, nothing, nullptr, name});
}

}  // namespace

HttpResponse answer_create(ServerState& server, const Call& call) {
  if (!call.attributes.subresource.empty()) return create_subresource(server, call);
  return create_object(server, call, call.body);
}

HttpResponse create_object(ServerState& server, const Call& call, Object object) {
  static const Object nothing;
  const Attributes& attributes = call.attributes;
  object = served_as(*call.resource, std::move(object));
  const std::string in = call.key().namespace_;
  // An update that creates the object may carry the version of an object that is gone.
  if (attributes.verb != "create") object["metadata"].erase("resourceVersion");
  if (const std::optional<HttpResponse> refusal = other_namespace(object, in)) return *refusal;
  if (call.resource->namespaced) {
    object["metadata"]["namespace"] = attributes.namespace_;
  } else if (object["metadata"].is_object()) {
    object["metadata"].erase("namespace");
  }
  if (object["metadata"].is_object()) object["metadata"].erase("selfLink");
  const std::string name(text(object, "metadata", "name"));
  const WriteContext write = server.write_context(call);
  decode(write, object);
  record_fields(server, call, Object::object(), object);
  if (write.whole_cluster && !in.empty()) {
    const std::string called(name_in_refusal(object));
    if (auto refusal = refused_by_namespace(write.cluster, *call.resource, in, called)) return *refusal;
  }
  const Strategy& strategy = *call.strategy;
  const std::string suffix = name_suffix(server, call);
  const AdmissionRequest request = admission_request(call, Operation::create, object, nothing);
  const auto plugins = [&]() -> std::optional<HttpResponse> {
    if (strategy.admit_first != nullptr) {
      if (auto refusal = strategy.admit_first(write, suffix, object)) return refusal;
    }
    if (auto refusal = completed_by_plugins(server, request, object)) return refusal;
    if (strategy.admit != nullptr) {
      if (auto refusal = strategy.admit(write, object)) return refusal;
    }
    if (auto refusal = completed_by_plugins(server, request, object, AdmissionPhase::late_mutation)) return refusal;
    return strategy.admit_last == nullptr ? std::nullopt : strategy.admit_last(write, object);
  };
  const auto complete = [&](Object& changed) { decode(write, changed); };
  if (auto refusal = mutated(server, call, {Operation::create, object, nothing, nullptr, name, complete}, plugins)) {
    return *refusal;
  }
  if (strategy.unauthorized != nullptr) {
    if (auto refusal = strategy.unauthorized(server, call, nothing, object)) return *refusal;
  }
  if (const std::string_view prefix = text(object, "metadata", "generateName"); name.empty() && !prefix.empty()) {
    object["metadata"]["name"] = std::string(prefix) + suffix;
  }
  if (strategy.begin_create != nullptr && call.through == nullptr) strategy.begin_create(write, object);
  if (strategy.drop_disabled != nullptr) strategy.drop_disabled(write, nothing, object);
  const BrokenRules broken = rules_broken_by(server, request);
  const validation::FieldMistakes mistakes = validation::wrong_object(validated(call), object, broken.mistakes);
  if (auto refusal = not_valid(server, call, object, mistakes, broken.rule)) return *refusal;
  warn_of_object(call, write, nothing, object);
  if (auto refusal = unauthorized_create(server, call)) return *refusal;
  if (auto refusal = refused_by_plugins(server, request, AdmissionPhase::validation)) return *refusal;
  if (auto refusal = refused_new_object(server, call, write, object)) return *refusal;
  const bool versioned = names_a_version(text(object, "metadata", "resourceVersion"));
  // The storage refuses a version before it looks for the object; a dry run does not reach the storage.
  if (versioned && !call.dry_run) return failure(500, "", "resourceVersion should not be set on objects to be created");
  if (const ObjectPtr existing = name.empty() ? nullptr : server.store.cluster().find(call.key(name));
      existing != nullptr) {
    return already_exists(call.attributes, name, *existing);
  }
  drop_submitted_status(call, object);
  server.store.adopt(object, call.now);
  if (call.talk != nullptr) identify(call, object);
  prepare_for_create(write, object);
  if (call.dry_run) return answer_object(server, call, 201, object);
  const ObjectKey key = call.key(text(object, "metadata", "name"));
  return answer_object(server, call, 201, server.store.put(key, std::move(object)));
}

bool creates_missing(const Call& call) {
  return call.resource->create_on_update && (call.subresource == nullptr || call.subresource->name == "status");
}

HttpResponse create_by_update(ServerState& server, const Call& call, Object object) {
  if (auto refusal = wrong_version(text(object, "metadata", "resourceVersion"))) return *refusal;
  return create_object(server, call, std::move(object));
}

}  // namespace nodebound::apiserver
