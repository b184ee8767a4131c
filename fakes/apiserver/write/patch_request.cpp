#include <optional>
#include <utility>

#include "fakes/apiserver/api_server.h"
#include "fakes/apiserver/status.h"
#include "fakes/apiserver/write/admission_changes.h"
#include "fakes/apiserver/write/applied.h"
#include "fakes/apiserver/write/computed_fields.h"
#include "fakes/apiserver/write/patch.h"
#include "fakes/apiserver/write/request_body.h"
#include "fakes/wire/configuration_types.h"
#include "fakes/wire/go/go_types.h"
#include "fakes/wire/media_type.h"

namespace nodebound {
namespace {

GroupVersionKind kind_of(const ApiResource& resource) {
  return {resource.group, resource.version, resource.kind};
}

HttpResponse patch_failure(const PatchFailure& failed) {
  if (failed.status == 400) return bad_request(failed.message);
  if (failed.status == 422) return failure(422, "Invalid", failed.message, Object::object());
  if (failed.status == 413) return failure(413, "RequestEntityTooLarge", failed.message);
  return failure(failed.status, "", failed.message);
}

// Refuses a patched object that no longer decodes as its kind.
std::optional<HttpResponse> undecodable(const ApiResource& resource, const Object& object) {
  GroupVersionKind kind = parse_group_version(text(object, "apiVersion")).value_or(GroupVersionKind());
  kind.kind = text(object, "kind");
  if (kind.kind.empty()) kind.kind = resource.kind;
  if (kind.version.empty()) {
    kind.group = resource.group;
    kind.version = resource.version;
  }
  const bool same = kind == kind_of(resource);
  const std::optional<std::string> why =
      same ? go_type_error(kind, object) : std::optional(not_registered(kind, *resource.release));
  if (!why) return std::nullopt;
  return invalid(*resource.release, "", "", "", {invalid_field("patch", json_text(object), *why)});
}

// As Go prints a group, version and kind.
std::string kind_text(const ApiResource& resource) {
  return resource.group + "/" + resource.version + ", Kind=" + resource.kind;
}

// How errors name an object that cannot be applied.
std::string configuration_text(const ApiResource& resource, const Object& object) {
  return "(" + std::string(text(object, "metadata", "namespace")) + "/" +
         std::string(text(object, "metadata", "name")) + "; " + kind_text(resource) + ")";
}

// Field types are checked before names.
std::optional<HttpResponse> not_to_be_applied(const WriteContext& write, const Object& object) {
  const ApiResource& resource = write.resource;
  if (text(object, "kind") != resource.kind || text(object, "apiVersion") != resource.group_version) {
    const auto version = parse_group_version(text(object, "apiVersion")).value_or(GroupVersionKind());
    return bad_request("invalid object type: " + version.group + "/" + version.version +
                       ", Kind=" + std::string(text(object, "kind")));
  }
  if (member(object, "metadata", "managedFields").is_array()) return bad_request("metadata.managedFields must be nil");
  std::optional<std::string> why = configuration_type_error(kind_of(resource), object);
  for (const std::string& unknown : unknown_status_fields(write)) {
    if (!why && member(object, "status").contains(unknown))
      why = ".status." + unknown + ": field not declared in schema";
  }
  if (!why) return std::nullopt;
  return failure(500, "", "failed to create typed patch object " + configuration_text(resource, object) + ": " + *why);
}

// Refuses values that fit the schema but not the Go type: a fraction, a malformed time.
std::optional<HttpResponse> unconvertible(const ApiResource& resource, const Object& object) {
  std::optional<std::string> why = go_type_error(kind_of(resource), object);
  if (!why) return std::nullopt;
  // This is not the decoder of request bodies, and its errors do not name the field.
  if (why->starts_with("json: ")) {
    const std::string type = why->substr(why->rfind(' ') + 1);
    const bool number = type.starts_with("int") && why->starts_with("json: cannot unmarshal number ");
    *why = number ? "cannot convert float64 to " + type
                  : why->substr(0, why->find(" into ")) + " into Go value of type " + type;
  }
  return failure(500, "",
                 "failed to convert new object " + configuration_text(resource, object) +
                     " to proper version: unable to convert unstructured object to " + kind_text(resource) + ": " +
                     *why);
}

}  // namespace

Applier ApiServer::applier_of(const Call& call) const {
  const std::string& target = call.request.target;
  return {query_parameter(target, "fieldManager"),    call.resource->group_version, now(),
          query_parameter(target, "force") == "true", call.attributes.subresource,  {}};
}

HttpResponse ApiServer::apply(const Call& call, const Object* found) {
  if (query_parameter(call.request.target, "fieldManager").empty()) {
    return invalid(*call.resource->release, "meta.k8s.io", "PatchOptions", "",
                   {required_field("fieldManager", "is required for apply patch")});
  }
  if (found == nullptr && call.subresource != nullptr) {
    return not_found(call.attributes.api_group, call.attributes.resource, call.attributes.name);
  }
  const tl::expected<Object, PatchFailure> configuration = read_configuration(call.request.body);
  if (!configuration) return patch_failure(configuration.error());
  if (auto refusal = not_to_be_applied(write_context(call), *configuration)) return *refusal;
  if (auto refusal = unconvertible(*call.resource, *configuration)) return *refusal;
  // An apply that creates an object must name it in the configuration, too.
  const std::string_view name = text(*configuration, "metadata", "name");
  const bool named_otherwise = name.empty() ? found == nullptr : name != call.attributes.name;
  if (named_otherwise) return other_name(name, call.attributes.name);
  if (found == nullptr) {
    Applied made = applied(Object::object(), *configuration, applier_of(call));
    read_nulls(kind_of(*call.resource), made.object);
    return create_by_update(call, std::move(made.object));
  }
  const Object before = served_as(*call.resource, *found);
  Applier applier = applier_of(call);
  if (call.attributes.resource == "nodes" && has_first_taints(before)) applier.nobodys = {{"f:spec", "f:taints"}};
  Applied result = applied(before, *configuration, applier);
  if (!result.conflicts.empty()) return apply_conflict(result.conflicts);
  read_nulls(kind_of(*call.resource), result.object);
  // Before this rule, an apply through `status` ignored the fields outside of the status before admission.
  if (call.attributes.subresource == "status" && !rules_.in_force(Rule::apply_status_whole)) {
    result.object.erase("spec");
    if (before.contains("spec")) result.object["spec"] = before["spec"];
  }
  return replace_object(call, before, std::move(result.object));
}

HttpResponse ApiServer::patch(const Call& call) {
  const std::string_view type = patch_type(call.request.content_type);
  const Object* found = store_.cluster().find(call.key());
  if (type == apply_patch) return apply(call, found);
  if (found == nullptr) return not_found(call.attributes.api_group, call.attributes.resource, call.attributes.name);
  const Object before = served_as(*call.resource, *found);
  tl::expected<Object, PatchFailure> after = patched(before, type, call.request.body);
  if (!after) return patch_failure(after.error());
  // A strategic merge patch works on the Go struct, whose kind is fixed.
  if (type == strategic_patch) *after = served_as(*call.resource, std::move(*after));
  if (auto refusal = undecodable(*call.resource, *after)) return *refusal;
  read_nulls(kind_of(*call.resource), *after);
  const std::string_view name = text(*after, "metadata", "name");
  if (after->is_object() && name != call.attributes.name) return other_name(name, call.attributes.name);
  return replace_object(call, before, std::move(*after));
}

}  // namespace nodebound
