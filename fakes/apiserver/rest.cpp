#include <algorithm>
#include <charconv>
#include <optional>

#include "fakes/apiserver/api_server.h"
#include "fakes/apiserver/status.h"
#include "fakes/apiserver/write/admission_changes.h"
#include "fakes/apiserver/write/applied.h"
#include "fakes/apiserver/write/request_body.h"
#include "fakes/apiserver/write/resize_validator.h"
#include "fakes/apiserver/write/update_strategy.h"
#include "fakes/validation/object.h"
#include "fakes/wire/media_type.h"

namespace nodebound {
namespace {

// Whether a deleted object waited only for its finalizers, and has none left.
bool is_let_go(const Object& object) {
  const Object& metadata = member(object, "metadata");
  const Object& grace = member(metadata, "deletionGracePeriodSeconds");
  // Namespaces alone have their finalizers in the spec, too.
  return metadata.contains("deletionTimestamp") && member(metadata, "finalizers").empty() &&
         member(object, "spec", "finalizers").empty() && (grace.is_null() || grace == 0);
}

// In etcd, nodes are still stored under their first name.
std::string stored_under(const ObjectKey& key) {
  return key.group.empty() && key.resource == "nodes" ? "minions" : key.resource;
}

// The storage's error when the submitted UID is not that of the stored object. A dry run uses keys without the prefix.
std::string other_uid(const ObjectKey& key, bool dry_run, const Object& object, const std::string& uid) {
  return std::string("StorageError: invalid object, Code: 4, Key: ") + (dry_run ? "/" : "/registry/") +
         stored_under(key) + "/" + (key.namespace_.empty() ? "" : key.namespace_ + "/") + key.name +
         ", ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: " + uid +
         ", UID in object meta: " + std::string(text(object, "metadata", "uid"));
}

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

// Refuses a new object that names another namespace (apiserver's registry/rest/create.go).
std::optional<HttpResponse> not_creatable(const Object& object, const std::string& namespace_) {
  const std::string_view named = text(object, "metadata", "namespace");
  if (named.empty() || named == namespace_) return std::nullopt;
  return bad_request("the namespace of the provided object does not match the namespace sent on the request");
}

ValidatedKind validated(const ApiResource& resource) {
  return {resource.group, resource.resource, resource.namespaced, resource.names};
}

std::optional<HttpResponse> not_valid(const ApiResource& resource, const Object& object,
                                      const FieldMistakes& mistakes) {
  if (mistakes.empty()) return std::nullopt;
  return invalid(*resource.release, resource.group, resource.kind, text(object, "metadata", "name"), mistakes);
}

}  // namespace

std::optional<HttpResponse> ApiServer::read_body_of(Call& call, const GroupVersionKind& kind) const {
  const std::string& verb = call.attributes.verb;
  const bool removes = verb == "delete" || verb == "deletecollection";
  if (verb != "create" && verb != "update" && !removes) return std::nullopt;
  auto body =
      removes ? read_delete_options(call.request, rules_.release()) : read_body(*resources_, kind, call.request);
  if (!body) return body.error();
  // Options in the body of a delete replace those of the query.
  if (removes && !call.request.body.empty()) call.dry_run = !member(*body, "dryRun").empty();
  call.body = std::move(*body);
  return std::nullopt;
}

HttpResponse ApiServer::get(const Call& call) {
  const Attributes& attributes = call.attributes;
  const Result<std::optional<std::uint64_t>> version = read_resource_version(call.request.target);
  if (!version) return failure(500, "", version.error().what);
  if (*version && **version > store_.version()) return too_new(**version);
  const ObjectPtr object = call.request.server_fault.behind == 0
                               ? store_.cluster().find_shared(call.key())
                               : *store_.object_at(call.key(), read_version(call, version->value_or(0)));
  if (object == nullptr) return not_found(attributes.api_group, attributes.resource, attributes.name);
  return answer(call, 200, *object);
}

HttpResponse ApiServer::create(const Call& call) {
  if (!call.attributes.subresource.empty()) return create_subresource(call);
  return create_object(call, call.body);
}

HttpResponse ApiServer::create_object(const Call& call, Object object) {
  static const Object nothing;
  const Attributes& attributes = call.attributes;
  object = served_as(*call.resource, std::move(object));
  const std::string in = call.key().namespace_;
  // An update that creates the object may carry the version of an object that is gone.
  if (attributes.verb != "create") object["metadata"].erase("resourceVersion");
  if (const std::optional<HttpResponse> refusal = not_creatable(object, in)) return *refusal;
  if (call.resource->namespaced) object["metadata"]["namespace"] = attributes.namespace_;
  const std::string name(text(object, "metadata", "name"));
  const WriteContext write = write_context(call);
  decode(write, object);
  const bool strict = options_.namespaces_first;
  if (strict && !in.empty()) {
    const std::string called = name.empty() ? std::string(text(object, "metadata", "generateName")) : name;
    if (auto refusal = refused_by_namespace(store_.cluster(), *call.resource, in, called)) return *refusal;
  }
  if (attributes.resource == "pods") {
    if (auto refusal = give_service_account(write, strict, store_.next_suffix(), object)) return *refusal;
  }
  const AdmissionRequest request = admission_request(call, Operation::create, object, nothing);
  if (const Admission refusal = refused(request, Phase::mutation)) return refusal_response(request, *refusal, rules_);
  if (auto refusal = change_on_create(write, strict, object)) return *refusal;
  if (name.empty() && text(object, "metadata", "generateName").empty()) {
    return invalid(*call.resource->release, call.resource->group, call.resource->kind, "",
                   {required_field("metadata.name", "name or generateName is required")});
  }
  if (name.empty())
    object["metadata"]["name"] = std::string(text(object, "metadata", "generateName")) + store_.next_suffix();
  drop_disabled(write, nothing, object);
  if (auto refusal = not_valid(*call.resource, object, wrong_object(validated(*call.resource), object)))
    return *refusal;
  if (const Admission refusal = refused(request, Phase::validation)) return refusal_response(request, *refusal, rules_);
  if (const Object* existing = name.empty() ? nullptr : store_.cluster().find(call.key(name)); existing != nullptr) {
    return already_exists(call.attributes, name, *existing);
  }
  if (call.resource->subresource("status") != nullptr && !call.resource->status_on_create) object.erase("status");
  prepare_for_create(write, object);
  const bool versioned = names_a_version(text(object, "metadata", "resourceVersion"));
  store_.adopt(object, now());
  if (call.dry_run) return answer(call, 201, object);
  if (versioned) return failure(500, "", "resourceVersion should not be set on objects to be created");
  const ObjectKey key = call.key(text(object, "metadata", "name"));
  return answer(call, 201, *store_.put(key, std::move(object)));
}

HttpResponse ApiServer::replace_object(const Call& call, const Object& before, Object submitted) {
  const WriteContext write = write_context(call);
  decode(write, submitted);
  const Attributes& attributes = call.attributes;
  // The storage compares UIDs before admission runs.
  const std::string uid(text(submitted, "metadata", "uid"));
  if (attributes.verb != "patch" && !uid.empty() && uid != text(before, "metadata", "uid")) {
    return conflict(attributes.api_group, attributes.resource, attributes.name,
                    other_uid(call.key(), call.dry_run, before, uid));
  }
  const AdmissionRequest request = admission_request(call, Operation::update, submitted, before);
  if (const Admission refusal = refused(request, Phase::mutation)) return refusal_response(request, *refusal, rules_);
  if (attributes.subresource.empty()) change_on_update(write, before, submitted);
  if (attributes.subresource == "ephemeralcontainers" && options_.namespaces_first) {
    if (auto refusal = refused_by_service_account(write, submitted)) return *refusal;
  }
  const std::string_view version = text(submitted, "metadata", "resourceVersion");
  if (version.empty() && call.resource->needs_version) {
    return invalid(*call.resource->release, attributes.api_group, attributes.resource, attributes.name,
                   {invalid_field("metadata.resourceVersion", 0, "must be specified for an update")});
  }
  if (!version.empty() && version != text(before, "metadata", "resourceVersion")) {
    return conflict(attributes.api_group, attributes.resource, attributes.name,
                    "the object has been modified; please apply your changes to the latest version and try again");
  }
  Object after = prepared_for_update(write, attributes.subresource, before, std::move(submitted));
  drop_disabled(write, before, after);
  const FieldMistakes mistakes = wrong_change(validated(*call.resource), attributes.subresource, after, before);
  if (auto refusal = not_valid(*call.resource, after, mistakes)) return *refusal;
  const AdmissionRequest prepared = admission_request(call, Operation::update, after, before);
  if (const Admission refusal = refused(prepared, Phase::validation))
    return refusal_response(prepared, *refusal, rules_);
  count_generation(before, after);
  const bool resizes = attributes.subresource == "resize" && member(before, "spec") != member(after, "spec");
  if (resizes && options_.namespaces_first) {
    if (auto refusal = refused_by_resize_validator(write, after)) return *refusal;
  }
  if (call.request.content_type != "application/apply-patch+yaml") disown_changed_fields(before, after);
  if (call.dry_run || after == before) return answer(call, 200, after);
  if (!is_let_go(after)) return answer(call, 200, *store_.put(call.key(), std::move(after)));
  erase(call.key());
  return answer(call, 200, after);
}

HttpResponse ApiServer::update(const Call& call) {
  if (text(call.body, "metadata", "name") != call.attributes.name) {
    return other_name(text(call.body, "metadata", "name"), call.attributes.name);
  }
  const Object* found = store_.cluster().find(call.key());
  if (found == nullptr) {
    if (call.resource->create_on_update && call.subresource == nullptr) return create_by_update(call, call.body);
    return not_found(call.attributes.api_group, call.attributes.resource, call.attributes.name);
  }
  return replace_object(call, served_as(*call.resource, *found), served_as(*call.resource, call.body));
}

// An update that creates the object needs the permission to create it, too.
HttpResponse ApiServer::create_by_update(const Call& call, Object object) {
  Attributes attributes = call.attributes;
  attributes.verb = "create";
  const Decision decision = chain_->authorize(call.subject, attributes);
  if (!decision.allowed()) return forbidden(call.subject, attributes, decision);
  return create_object(call, std::move(object));
}

}  // namespace nodebound
