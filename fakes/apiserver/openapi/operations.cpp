#include "fakes/apiserver/openapi/operations.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>

#include "reference/release/behaviour_ids.h"

namespace nodebound::apiserver {
namespace {

enum class Place { collection, object };
enum class Sent { nothing, kind, patch, options };
enum class Answered { kind, list, status };

struct Parameter {
  const char* name;
  const char* type = "string";
};

constexpr std::array list_parameters = {Parameter{"allowWatchBookmarks", "boolean"},
                                        Parameter{"continue"},
                                        Parameter{"fieldSelector"},
                                        Parameter{"labelSelector"},
                                        Parameter{"limit", "integer"},
                                        Parameter{"resourceVersion"},
                                        Parameter{"resourceVersionMatch"},
                                        Parameter{"sendInitialEvents", "boolean"},
                                        Parameter{"timeoutSeconds", "integer"},
                                        Parameter{"watch", "boolean"}};
constexpr std::array write_parameters = {Parameter{"dryRun"}, Parameter{"fieldManager"}};
constexpr std::array patch_parameters = {Parameter{"dryRun"}, Parameter{"fieldManager"}, Parameter{"force", "boolean"}};
constexpr std::array delete_parameters = {Parameter{"dryRun"}, Parameter{"gracePeriodSeconds", "integer"},
                                          Parameter{"propagationPolicy"}};

/// What a verb is in OpenAPI.
struct ApiOperation {
  std::string_view verb;
  const char* method;
  const char* id;  ///< how the operation's id begins
  Place place;
  Sent sent;
  Answered answered;
  std::span<const Parameter> parameters;
};

constexpr std::array<ApiOperation, 7> known_operations = {{
    {"list", "get", "list", Place::collection, Sent::nothing, Answered::list, list_parameters},
    {"create", "post", "create", Place::collection, Sent::kind, Answered::kind, write_parameters},
    {"deletecollection", "delete", "delete", Place::collection, Sent::options, Answered::status, delete_parameters},
    {"get", "get", "read", Place::object, Sent::nothing, Answered::kind, {}},
    {"update", "put", "replace", Place::object, Sent::kind, Answered::kind, write_parameters},
    {"patch", "patch", "patch", Place::object, Sent::patch, Answered::kind, patch_parameters},
    {"delete", "delete", "delete", Place::object, Sent::options, Answered::status, delete_parameters},
}};

/// A resource or one of its subresources, at its paths.
struct Described {
  const ApiResource& resource;
  const ApiSubresource* subresource = nullptr;
  OpenApiVersion version;

  [[nodiscard]] GroupVersionKind kind() const {
    const bool own = subresource != nullptr && !subresource->kind.empty();
    GroupVersionKind out =
        parse_group_version(own ? subresource->group_version : resource.group_version).value_or(GroupVersionKind());
    out.kind = own ? subresource->kind : resource.kind;
    return out;
  }
};

std::string capital(std::string word) {
  if (!word.empty() && word.front() >= 'a' && word.front() <= 'z') {
    word.front() = static_cast<char>(word.front() - 'a' + 'A');
  }
  return word;
}

// `CoreV1`, `RbacAuthorizationV1`
std::string name_of_version(const ApiResource& resource) {
  std::string_view group = resource.group.empty() ? std::string_view("core") : resource.group;
  if (group.ends_with(".k8s.io")) group.remove_suffix(7);
  std::string out;
  while (!group.empty()) {
    const std::size_t dot = std::min(group.find('.'), group.size());
    out += capital(std::string(group.substr(0, dot)));
    group.remove_prefix(std::min(dot + 1, group.size()));
  }
  return out + capital(resource.version);
}

std::string id_of(const Described& subject, const ApiOperation& operation, bool all_namespaces) {
  const ApiResource& resource = subject.resource;
  const bool namespaced = resource.namespaced && !all_namespaces;
  const bool of_collection = operation.verb == "deletecollection";
  std::string out = operation.id + name_of_version(resource) + (of_collection ? "Collection" : "") +
                    (namespaced ? "Namespaced" : "") + resource.kind;
  if (subject.subresource != nullptr) out += capital(subject.subresource->name);
  return out + (all_namespaces ? "ForAllNamespaces" : "");
}

Object parameter_of(OpenApiVersion version, const char* name, const char* type, const char* in) {
  Object out = {{"name", name}, {"in", in}};
  if (std::string_view(in) == "path") out["required"] = true;
  if (version == OpenApiVersion::v2) {
    out["type"] = type;
    out["uniqueItems"] = true;
  } else {
    out["schema"] = {{"type", type}, {"uniqueItems", true}};
  }
  return out;
}

Object content_of(std::initializer_list<const char*> media_types, const Object& schema) {
  Object out = Object::object();
  for (const char* const type : media_types) out[type] = {{"schema", schema}};
  return out;
}

Object schema_sent(const Described& subject, const ApiOperation& operation, Schemas& schemas) {
  if (operation.sent == Sent::patch) return {{"type", "object"}};
  if (operation.sent == Sent::options) return schemas.refer_to({"", "v1", "DeleteOptions"});
  return schemas.refer_to(subject.kind());
}

void add_body(const Described& subject, const ApiOperation& operation, Schemas& schemas, Object& out) {
  if (operation.sent == Sent::nothing) return;
  const Object schema = schema_sent(subject, operation, schemas);
  const bool required = operation.sent != Sent::options;
  if (subject.version == OpenApiVersion::v2) {
    Object body = {{"name", "body"}, {"in", "body"}, {"schema", schema}};
    if (required) body["required"] = true;
    out["parameters"].push_back(std::move(body));
    return;
  }
  out["requestBody"]["content"] =
      operation.sent == Sent::patch
          ? content_of({"application/apply-patch+yaml", "application/json-patch+json", "application/merge-patch+json",
                        "application/strategic-merge-patch+json"},
                       schema)
          : content_of({"*/*"}, schema);
  if (required) out["requestBody"]["required"] = true;
}

Object answer_of(const Described& subject, const ApiOperation& operation, Schemas& schemas) {
  GroupVersionKind kind = subject.kind();
  if (operation.answered == Answered::list) kind.kind += "List";
  if (operation.answered == Answered::status && !subject.resource.answers_deleted) kind = {"", "v1", "Status"};
  const Object schema = schemas.refer_to(kind);
  Object out = {{"description", "OK"}};
  if (subject.version == OpenApiVersion::v2) {
    out["schema"] = schema;
  } else {
    out["content"] =
        content_of({"application/json", "application/vnd.kubernetes.protobuf", "application/yaml"}, schema);
  }
  return out;
}

Object operation_of(const Described& subject, const ApiOperation& operation, Schemas& schemas, bool all_namespaces) {
  const GroupVersionKind kind = subject.kind();
  const bool lists = operation.answered == Answered::list;
  Object out = {
      {"operationId", id_of(subject, operation, all_namespaces)},
      {"x-kubernetes-action", lists ? operation.id : operation.method},
      {"x-kubernetes-group-version-kind", {{"group", kind.group}, {"version", kind.version}, {"kind", kind.kind}}},
      {"parameters", Object::array()}};
  if (operation.verb == "deletecollection") out["x-kubernetes-action"] = "deletecollection";
  for (const Parameter& own : operation.parameters) {
    out["parameters"].push_back(parameter_of(subject.version, own.name, own.type, "query"));
  }
  // kubectl reads here whether the server validates fields.
  const bool writes = operation.sent == Sent::kind || operation.sent == Sent::patch;
  if (writes && subject.resource.release->does(Behaviour::field_validation_parameter)) {
    out["parameters"].push_back(parameter_of(subject.version, "fieldValidation", "string", "query"));
  }
  add_body(subject, operation, schemas, out);
  out["responses"]["200"] = answer_of(subject, operation, schemas);
  return out;
}

void add_operation(const Described& subject, const ApiOperation& operation, const std::string& path, Schemas& schemas,
                   Object& paths) {
  Object& item = paths[path];
  if (!item.contains("parameters")) {
    for (const char* const name : {"name", "namespace"}) {
      if (path.find("{" + std::string(name) + "}") == std::string::npos) continue;
      item["parameters"].push_back(parameter_of(subject.version, name, "string", "path"));
    }
  }
  const bool all_namespaces = subject.resource.namespaced && path.find("{namespace}") == std::string::npos;
  item[operation.method] = operation_of(subject, operation, schemas, all_namespaces);
}

}  // namespace

void add_paths(const ApiResource& resource, OpenApiVersion version, Schemas& schemas, Object& paths) {
  if (resource.definition) {
    schemas.define({resource.group, resource.version, resource.kind},
                   member(*resource.definition, "schema", "openAPIV3Schema"));
  }
  const std::string root = (resource.group.empty() ? "/api/" : "/apis/") + resource.group_version + "/";
  const std::string collection = root + (resource.namespaced ? "namespaces/{namespace}/" : "") + resource.resource;
  for (const ApiOperation& operation : known_operations) {
    if (resource.serves(operation.verb)) {
      const bool at_object = operation.place == Place::object;
      add_operation(Described{resource, nullptr, version}, operation, at_object ? collection + "/{name}" : collection,
                    schemas, paths);
      if (resource.namespaced && operation.answered == Answered::list) {
        add_operation(Described{resource, nullptr, version}, operation, root + resource.resource, schemas, paths);
      }
    }
    for (const ApiSubresource& subresource : resource.subresources) {
      if (subresource.connect || !subresource.serves(operation.verb)) continue;
      add_operation(Described{resource, &subresource, version}, operation, collection + "/{name}/" + subresource.name,
                    schemas, paths);
    }
  }
}

}  // namespace nodebound::apiserver
