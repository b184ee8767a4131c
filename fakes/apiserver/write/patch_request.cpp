#include <algorithm>
#include <optional>
#include <utility>

#include "fakes/apiserver/call.h"
#include "fakes/apiserver/pipeline/request_body.h"
#include "fakes/apiserver/resources/strategy.h"
#include "fakes/apiserver/server_state.h"
#include "fakes/apiserver/status.h"
#include "fakes/apiserver/write/computed_fields.h"
#include "fakes/apiserver/write/fields/applied.h"
#include "fakes/apiserver/write/fields/field_writer.h"
#include "fakes/apiserver/write/patch.h"
#include "fakes/apiserver/write/write.h"
#include "fakes/wire/configuration_types.h"
#include "fakes/wire/go/go_text.h"
#include "fakes/wire/go/go_types.h"
#include "fakes/wire/go/go_values.h"
#include "fakes/wire/go/json.h"
#include "fakes/wire/go/type_meta.h"
#include "fakes/wire/media_type.h"
#include "fakes/wire/yaml/yaml.h"
#include "reference/authorizer/query_flag.h"

namespace nodebound::apiserver {
namespace {

HttpResponse patch_failure(const PatchFailure& failed) {
  if (failed.status == 400) return bad_request(failed.message);
  if (failed.status == 422) return failure(422, "Invalid", failed.message, Object::object());
  if (failed.status == 413) return failure(413, "RequestEntityTooLarge", failed.message);
  return failure(failed.status, "", failed.message);
}

HttpResponse unusable_patch(const ApiResource& resource, const std::string& shown, const std::string& why) {
  return invalid(*resource.release, "", "", "", {validation::invalid_field("patch", shown, why)});
}

// Decodes the result of a JSON patch or merge patch as its kind.
GoDecoding decoded(const ApiResource& resource, const Object& object) {
  GroupVersionKind kind = parse_group_version(text(object, "apiVersion")).value_or(GroupVersionKind());
  kind.kind = text(object, "kind");
  if (kind.kind.empty()) kind.kind = resource.kind;
  if (kind.version.empty()) {
    kind.group = resource.group;
    kind.version = resource.version;
  }
  if (kind != kind_of(resource)) return {not_registered(kind, resource.release), {}};
  return decode_as_go(kind, object, resource.release);
}

// Converts the result of a strategic merge patch, which works on the Go struct: its kind is fixed.
GoDecoding converted(const ApiResource& resource, Object& object) {
  object = served_as(resource, std::move(object));
  if (auto error = convert_as_go(kind_of(resource), object, resource.release)) return {std::move(error), {}};
  GoDecoding out = decode_as_go(kind_of(resource), object, resource.release);
  std::sort(out.strict.begin(), out.strict.end());
  return {std::nullopt, std::move(out.strict)};
}

// The fields of a patch itself that a strict decoder refuses.
std::vector<std::string> strict_errors_of(std::string_view type, const std::string& patch) {
  if (type != json_patch) return repeated_fields(patch);
  std::vector<std::string> out = strict_patch_errors(patch);
  for (std::string& error : out) error.insert(0, "json patch ");
  return out;
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
  std::optional<std::string> why = configuration_type_error(kind_of(resource), object, resource.release);
  for (const std::string& unknown : unknown_status_fields(write)) {
    if (!why && member(object, "status").contains(unknown))
      why = ".status." + unknown + ": field not declared in schema";
  }
  if (!why) return std::nullopt;
  return failure(500, "", "failed to create typed patch object " + configuration_text(resource, object) + ": " + *why);
}

// Refuses values that fit the schema but not the Go type: a fraction, a malformed time.
std::optional<HttpResponse> unconvertible(const ApiResource& resource, Object& object) {
  const std::optional<std::string> why = convert_as_go(kind_of(resource), object, resource.release);
  if (!why) return std::nullopt;
  return failure(500, "",
                 "failed to convert new object " + configuration_text(resource, object) +
                     " to proper version: unable to convert unstructured object to " + kind_text(resource) + ": " +
                     *why);
}

Applier applier_of(const ServerState& server, const Call& call) {
  return {field_writer(call), query_flag(call.request.target, "force").value_or(false), tracked_managers(server)};
}

// A configuration is decoded strictly after it was applied, before admission.
std::optional<HttpResponse> refused_keys(const ServerState& server, const Call& call) {
  if (field_validation(server, call.request) != FieldValidation::strict) return std::nullopt;
  const std::vector<std::string> keys = repeated_yaml_keys(call.request.body);
  if (keys.empty()) return std::nullopt;
  return bad_request("error strict decoding YAML: error converting YAML to JSON: " + yaml_keys_error(keys));
}

HttpResponse warning_of_keys(const ServerState& server, const Call& call, HttpResponse response) {
  if (field_validation(server, call.request) == FieldValidation::warn) {
    response.warnings = repeated_yaml_keys(call.request.body);
  }
  return response;
}

// A configuration that names the uid of an object is not for a new one.
std::optional<HttpResponse> named_by_uid(const Call& call, const Object& configuration) {
  const std::string uid(text(configuration, "metadata", "uid"));
  if (uid.empty()) return std::nullopt;
  return conflict(call.attributes.api_group, call.attributes.resource, call.attributes.name,
                  "uid mismatch: the provided object specified uid " + uid + ", and no existing object was found");
}

HttpResponse apply(ServerState& server, const Call& call, const Object* found) {
  if (found == nullptr && call.subresource != nullptr && !creates_missing(call)) {
    return not_found(call.attributes.api_group, call.attributes.resource, call.attributes.name);
  }
  tl::expected<Object, PatchFailure> configuration = read_configuration(call.request.body);
  if (!configuration) return patch_failure(configuration.error());
  if (auto refusal = not_to_be_applied(server.write_context(call), *configuration)) return *refusal;
  if (auto refusal = unconvertible(*call.resource, *configuration)) return *refusal;
  // An apply that creates an object must name it in the configuration, too.
  const std::string_view name = text(*configuration, "metadata", "name");
  const bool named_otherwise = name.empty() ? found == nullptr : name != call.attributes.name;
  const auto wrong_name = [&] { return warning_of_keys(server, call, other_name(name, call.attributes.name)); };
  if (auto refusal = other_namespace(*configuration, call.key().namespace_)) return *refusal;
  if (found == nullptr) {
    if (auto refusal = named_by_uid(call, *configuration)) return *refusal;
    Applied made = applied(Object::object(), *configuration, applier_of(server, call));
    if (auto refusal = refused_keys(server, call)) return *refusal;
    if (named_otherwise) return wrong_name();
    keep_as_go(kind_of(*call.resource), made.object, call.resource->release);
    return warning_of_keys(server, call, create_by_update(server, call, std::move(made.object)));
  }
  const Object before = served_as(*call.resource, *found);
  Applier applier = applier_of(server, call);
  if (call.strategy->unwritten != nullptr) applier.nobodys = call.strategy->unwritten(before);
  Applied result = applied(before, *configuration, applier);
  if (!result.conflicts.empty()) return apply_conflict(result.conflicts);
  if (auto refusal = refused_keys(server, call)) return *refusal;
  if (named_otherwise) return wrong_name();
  keep_as_go(kind_of(*call.resource), result.object, call.resource->release);
  // Before this rule, an apply through `status` ignored the fields outside of the status before admission.
  if (call.attributes.subresource == "status" && !server.rules.in_force(Rule::apply_status_whole)) {
    result.object.erase("spec");
    if (before.contains("spec")) result.object["spec"] = before["spec"];
  }
  return warning_of_keys(server, call, replace_object(server, call, before, std::move(result.object)));
}

// The kind that a subresource shows of its resource; nothing if it shows the resource itself.
std::optional<ApiResource> shown_kind(const Call& call) {
  if (call.through == nullptr || call.through->view == nullptr) return std::nullopt;
  const ApiSubresource& own = *call.subresource;
  const GroupVersionKind kind = parse_group_version(own.group_version).value_or(GroupVersionKind());
  ApiResource out;
  out.group = kind.group;
  out.version = kind.version;
  out.group_version = own.group_version;
  out.kind = own.kind;
  out.release = call.resource->release;
  return out;
}

}  // namespace

HttpResponse answer_patch(ServerState& server, const Call& call) {
  const std::string_view type = patch_type(call.request.content_type);
  if (auto refusal = impossible_name(call.attributes.name)) return *refusal;
  const ObjectPtr found = server.store.cluster().find(call.key());
  if (type == apply_patch) return apply(server, call, found.get());
  if (found == nullptr) return not_found(call.attributes.api_group, call.attributes.resource, call.attributes.name);
  const Object before = served_as(*call.resource, *found);
  const std::optional<ApiResource> view = shown_kind(call);
  const ApiResource& resource = view ? *view : *call.resource;
  tl::expected<Object, PatchFailure> after =
      patched(view ? call.through->view(server.write_context(call), *found) : before, type, call.request.body);
  if (!after) return patch_failure(after.error());
  const bool strategic = type == strategic_patch;
  // Without an apiVersion, Go takes the object for its internal form, whose fields have other names.
  const bool unreadable = !view && !strategic && !resource.definition && text(*after, "apiVersion").empty();
  const GoDecoding decoding = strategic ? converted(resource, *after) : decoded(resource, *after);
  const FieldValidation validation = field_validation(server, call.request);
  std::vector<std::string> strict;
  if (validation != FieldValidation::ignore && !decoding.error) {
    strict = strict_errors_of(type, call.request.body);
    strict.insert(strict.end(), decoding.strict.begin(), decoding.strict.end());
  }
  if (decoding.error || (validation == FieldValidation::strict && !strict.empty())) {
    const std::string shown = strategic ? go_text(read_json(call.request.body).value_or(nullptr)) : json_text(*after);
    return unusable_patch(resource, shown, decoding.error ? *decoding.error : strict_error(strict));
  }
  keep_as_go(kind_of(resource), *after, resource.release);
  if (auto refusal = other_namespace(*after, call.key().namespace_)) return *refusal;
  const std::string_view name = unreadable ? std::string_view() : text(*after, "metadata", "name");
  if (after->is_object() && name != call.attributes.name) return other_name(name, call.attributes.name);
  HttpResponse response =
      view ? replace_view(server, call, before, *after) : replace_object(server, call, before, std::move(*after));
  response.warnings = std::move(strict);
  return response;
}

}  // namespace nodebound::apiserver
