#include <algorithm>
#include <optional>

#include "fakes/apiserver/api_server.h"
#include "fakes/apiserver/json_body.h"
#include "fakes/apiserver/patch.h"
#include "fakes/apiserver/status.h"

namespace nodebound {
namespace {

Result<Object> parsed_body(const HttpRequest& request) {
  Object body = parsed_json(request.body);
  if (body.is_discarded() || !body.is_object()) return input_error("", "expected a JSON object as the request's body");
  return body;
}

HttpResponse bad_request(const std::string& message) {
  return failure(400, "BadRequest", message);
}

// What the strategy of a resource keeps of the old object, whatever was submitted
// (PrepareForUpdate in pkg/registry/*/strategy.go).
Object kept_by_strategy(const ApiResource& resource, const std::string& subresource, const Object& before,
                        Object submitted) {
  const auto keep = [&](const char* field) {
    submitted.erase(field);
    if (before.contains(field)) submitted[field] = before[field];
  };
  if (subresource == "status" || subresource == "approval") {
    keep("spec");
  } else if (subresource == "ephemeralcontainers") {
    const Object containers = member(submitted, "spec", "ephemeralContainers");
    submitted = before;
    submitted["spec"]["ephemeralContainers"] = containers;
  } else if (resource.subresource("status") != nullptr) {
    keep("status");
  }
  for (const char* field : {"uid", "creationTimestamp", "deletionTimestamp", "name", "namespace"}) {
    submitted["metadata"].erase(field);
    if (member(before, "metadata").contains(field)) submitted["metadata"][field] = before["metadata"][field];
  }
  if (subresource == "status") {
    // Owners cannot be changed through the status of a pod or node.
    submitted["metadata"].erase("ownerReferences");
    const Object& owners = member(before, "metadata", "ownerReferences");
    if (!owners.is_null()) submitted["metadata"]["ownerReferences"] = owners;
  }
  return submitted;
}

// An object with finalizers is not deleted before the last of them is taken away.
bool held(const Object& object) {
  return !member(object, "metadata", "finalizers").empty();
}

// What was written through another version of the group is answered in the version of the request.
bool is_of_version(const ApiResource& resource, const Object& object) {
  return text(object, "apiVersion") == resource.group_version;
}

std::optional<HttpResponse> other_version(const ApiResource& resource, const Object& submitted) {
  const std::string_view version = text(submitted, "apiVersion");
  if (version.empty() || version == resource.group_version) return std::nullopt;
  return bad_request("the API version in the data (" + std::string(version) +
                     ") does not match the expected API version (" + resource.group_version + ")");
}

}  // namespace

HttpResponse ApiServer::get(const Call& call) {
  const Attributes& attributes = call.attributes;
  const Object* object = store_.cluster().find(call.key());
  if (object == nullptr) return not_found(attributes.api_group, attributes.resource, attributes.name);
  if (is_of_version(*call.resource, *object)) return object_response(200, *object);
  return object_response(200, served_as(*call.resource, *object));
}

bool ApiServer::selected(const Call& call, const Object& object) const {
  const std::string selector = query_parameter(call.request.target, "fieldSelector");
  const std::vector<FieldRequirement> terms = parse_field_selector(selector);
  return std::all_of(terms.begin(), terms.end(), [&](const FieldRequirement& term) {
    const std::size_t dot = term.field.find('.');
    const std::string_view value = dot == std::string::npos
                                       ? text(object, term.field)
                                       : text(object, term.field.substr(0, dot), term.field.substr(dot + 1));
    return (value == term.value) == (term.op == "=");
  });
}

HttpResponse ApiServer::list(const Call& call) {
  const Attributes& attributes = call.attributes;
  Object items = Object::array();
  store_.cluster().each(attributes.api_group, attributes.resource, attributes.namespace_,
                        [&](const ObjectKey&, const Object& object) {
                          if (selected(call, object)) items.push_back(served_as(*call.resource, object));
                        });
  if (attributes.verb == "watch") {
    HttpResponse response;
    response.status = 200;
    response.content_type = "application/json";
    for (const Object& item : items) response.body += Object{{"type", "ADDED"}, {"object", item}}.dump() + "\n";
    return response;
  }
  return object_response(200, {{"kind", call.resource->kind + "List"},
                               {"apiVersion", call.resource->group_version},
                               {"metadata", {{"resourceVersion", store_.version()}}},
                               {"items", items}});
}

HttpResponse ApiServer::create(const Call& call) {
  if (!call.attributes.subresource.empty()) return create_subresource(call);
  Result<Object> body = parsed_body(call.request);
  if (!body) return bad_request(body.error().what);
  if (const std::optional<HttpResponse> refusal = other_version(*call.resource, *body)) return *refusal;
  // What cannot be read is not stored.
  if (!call.resource->serves("get")) return review(call, std::move(*body));
  return create_object(call, std::move(*body));
}

HttpResponse ApiServer::create_object(const Call& call, Object object) {
  static const Object nothing;
  const Attributes& attributes = call.attributes;
  object = served_as(*call.resource, std::move(object));
  if (call.resource->namespaced) object["metadata"]["namespace"] = attributes.namespace_;
  const std::string name(text(object, "metadata", "name"));
  if (name.empty() && text(object, "metadata", "generateName").empty()) {
    return failure(
        422, "Invalid",
        call.resource->kind + " \"\" is invalid: metadata.name: Required value: name or generateName is required");
  }
  // The field's old name, which conversion still reads.
  const std::string old_account(text(object, "spec", "serviceAccount"));
  if (attributes.resource == "pods" && !old_account.empty() && text(object, "spec", "serviceAccountName").empty()) {
    object["spec"]["serviceAccountName"] = old_account;
  }
  if (assigns_service_accounts_ && attributes.resource == "pods" && !is_mirror_pod(object) &&
      text(object, "spec", "serviceAccountName").empty()) {
    object["spec"]["serviceAccountName"] = "default";
  }
  const AdmissionRequest request = admission_request(call, Operation::create, object, nothing);
  if (const Admission refusal = refused(request)) return refusal_response(request, *refusal, rules_);
  if (!name.empty() && store_.cluster().find(call.key(name)) != nullptr) {
    return failure(409, "AlreadyExists",
                   qualified_resource(attributes.api_group, attributes.resource) + " \"" + name + "\" already exists");
  }
  if (call.resource->subresource("status") != nullptr && !call.resource->status_on_create) object.erase("status");
  store_.adopt(object);
  if (!call.dry_run) store_.put(call.key(text(object, "metadata", "name")), object);
  return object_response(201, object);
}

HttpResponse ApiServer::replace_object(const Call& call, const Object& before, Object submitted) {
  const AdmissionRequest request = admission_request(call, Operation::update, submitted, before);
  if (const Admission refusal = refused(request)) return refusal_response(request, *refusal, rules_);
  const std::string_view version = text(submitted, "metadata", "resourceVersion");
  if (!version.empty() && version != text(before, "metadata", "resourceVersion")) {
    return failure(409, "Conflict",
                   "Operation cannot be fulfilled on " +
                       qualified_resource(call.attributes.api_group, call.attributes.resource) + " \"" +
                       call.attributes.name +
                       "\": the object has been modified; please apply your changes to the latest "
                       "version and try again");
  }
  Object after = kept_by_strategy(*call.resource, call.attributes.subresource, before, std::move(submitted));
  if (call.dry_run) return object_response(200, after);
  const bool let_go = member(after, "metadata").contains("deletionTimestamp") && !held(after);
  if (let_go) {
    erase(call.key());
  } else {
    store_.put(call.key(), after);
  }
  return object_response(200, after);
}

HttpResponse ApiServer::update(const Call& call) {
  Result<Object> body = parsed_body(call.request);
  if (!body) return bad_request(body.error().what);
  const Object* found = store_.cluster().find(call.key());
  if (found == nullptr) {
    if (call.resource->create_on_update && call.subresource == nullptr) return create_by_update(call, std::move(*body));
    return not_found(call.attributes.api_group, call.attributes.resource, call.attributes.name);
  }
  if (text(*body, "metadata", "name") != call.attributes.name) {
    return bad_request("the name of the object (" + std::string(text(*body, "metadata", "name")) +
                       ") does not match the name on the URL (" + call.attributes.name + ")");
  }
  if (const std::optional<HttpResponse> refusal = other_version(*call.resource, *body)) return *refusal;
  return replace_object(call, served_as(*call.resource, *found), served_as(*call.resource, std::move(*body)));
}

// Whoever may update still has to be one who may create.
HttpResponse ApiServer::create_by_update(const Call& call, Object object) {
  if (const std::optional<HttpResponse> refusal = other_version(*call.resource, object)) return *refusal;
  Attributes attributes = call.attributes;
  attributes.verb = "create";
  const Decision decision = chain_->authorize(call.subject, attributes);
  if (!decision.allowed()) return forbidden(call.subject, attributes, decision);
  return create_object(call, std::move(object));
}

HttpResponse ApiServer::patch(const Call& call) {
  const std::string& type = call.request.content_type;
  if (!is_patch_type(type)) {
    return failure(415, "UnsupportedMediaType",
                   "the body of the request was in an unknown format - accepted media types include: "
                   "application/json-patch+json, application/merge-patch+json, "
                   "application/strategic-merge-patch+json, application/apply-patch+yaml");
  }
  const bool apply = type == "application/apply-patch+yaml";
  const Object* found = store_.cluster().find(call.key());
  if (found == nullptr) {
    Result<Object> body = parsed_body(call.request);
    if (apply && body && call.subresource == nullptr) return create_by_update(call, std::move(*body));
    return not_found(call.attributes.api_group, call.attributes.resource, call.attributes.name);
  }
  const Object before = served_as(*call.resource, *found);
  Result<Object> after = patched(before, type, call.request.body);
  // What an apply says of the fields that the subresource does not write used to be dropped before admission.
  const bool resets_spec =
      apply && call.attributes.subresource == "status" && !rules_.in_force(Rule::apply_status_whole);
  if (after && resets_spec) {
    after->erase("spec");
    if (before.contains("spec")) (*after)["spec"] = before["spec"];
  }
  if (!after) {
    // A JSON patch that can be read but not be done is another mistake than one that cannot be read.
    const bool readable = type == "application/json-patch+json" && parsed_json(call.request.body).is_array();
    if (!readable) return bad_request(after.error().what);
    return failure(422, "Invalid", "the server rejected our request due to an error in our request");
  }
  return replace_object(call, before, std::move(*after));
}

void ApiServer::erase(const ObjectKey& key) {
  store_.erase(key);
  if (!key.group.empty() || key.resource != "namespaces") return;
  for (const ApiResource& resource : resources_->all()) {
    if (!resource.namespaced) continue;
    std::vector<ObjectKey> inside;
    store_.cluster().each(resource.group, resource.resource, key.name,
                          [&](const ObjectKey& own, const Object&) { inside.push_back(own); });
    for (const ObjectKey& own : inside) store_.erase(own);
  }
}

HttpResponse ApiServer::remove(const Call& call) {
  static const Object nothing;
  const Object* found = store_.cluster().find(call.key());
  if (found == nullptr) return not_found(call.attributes.api_group, call.attributes.resource, call.attributes.name);
  const Object before = served_as(*call.resource, *found);
  const AdmissionRequest request = admission_request(call, Operation::remove, nothing, before);
  if (const Admission refusal = refused(request)) return refusal_response(request, *refusal, rules_);
  if (held(before)) {
    Object waiting = before;
    waiting["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z";
    if (!call.dry_run) store_.put(call.key(), waiting);
    return object_response(200, waiting);
  }
  if (!call.dry_run) erase(call.key());
  return object_response(200, before);
}

HttpResponse ApiServer::remove_collection(const Call& call) {
  static const Object nothing;
  std::vector<std::pair<ObjectKey, Object>> matching;
  store_.cluster().each(call.attributes.api_group, call.attributes.resource, call.attributes.namespace_,
                        [&](const ObjectKey& key, const Object& object) {
                          if (selected(call, object)) matching.emplace_back(key, object);
                        });
  Object items = Object::array();
  for (const auto& [key, object] : matching) {
    // Admission sees each object but no name, and what is not found is passed over.
    const AdmissionRequest request = admission_request(call, Operation::remove, nothing, object);
    if (const Admission refusal = refused(request)) {
      if (refusal->status == 404) continue;
      return refusal_response(request, *refusal, rules_);
    }
    if (!call.dry_run) erase(key);
    items.push_back(served_as(*call.resource, object));
  }
  return object_response(200, {{"kind", call.resource->kind + "List"},
                               {"apiVersion", call.resource->group_version},
                               {"metadata", {{"resourceVersion", store_.version()}}},
                               {"items", items}});
}

}  // namespace nodebound
