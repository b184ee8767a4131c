#include "fakes/apiserver/discovery/openapi.h"

#include "fakes/apiserver/status.h"
#include "reference/cluster/object.h"

namespace nodebound {
namespace {

std::string path_of(const ApiResource& resource) {
  return (resource.group.empty() ? "/api/" : "/apis/") + resource.group_version;
}

Object type_of(const ApiResource& resource) {
  return Object::array({{{"group", resource.group}, {"version", resource.version}, {"kind", resource.kind}}});
}

std::string schema_name(const ApiResource& resource) {
  return "io.k8s.api." + (resource.group.empty() ? std::string("core") : resource.group) + "." + resource.version +
         "." + resource.kind;
}

Object schema_of(const ApiResource& resource) {
  return {{"type", "object"},
          {"x-kubernetes-preserve-unknown-fields", true},
          {"x-kubernetes-group-version-kind", type_of(resource)}};
}

// kubectl looks here whether the patch of a kind takes `dryRun` and `fieldValidation`.
Object operations_of(const ApiResource& resource) {
  Object parameters = Object::array();
  for (const char* name : {"dryRun", "fieldManager", "fieldValidation"}) {
    parameters.push_back({{"name", name}, {"in", "query"}, {"schema", {{"type", "string"}}}});
  }
  const Object type = type_of(resource).front();
  Object patch = {{"x-kubernetes-action", "patch"},
                  {"x-kubernetes-group-version-kind", type},
                  {"parameters", parameters},
                  {"responses", {{"200", {{"description", "OK"}}}}}};
  Object post = patch;
  post["x-kubernetes-action"] = "post";
  return {{"patch", std::move(patch)}, {"post", std::move(post)}};
}

Object info(const Version& version) {
  return {{"title", "Kubernetes"}, {"version", "v" + version.text()}};
}

std::string object_path(const ApiResource& resource) {
  return path_of(resource) + (resource.namespaced ? "/namespaces/{namespace}/" : "/") + resource.resource + "/{name}";
}

Object v3_document(const ApiResources& resources, const Version& version, std::string_view path) {
  Object paths = Object::object();
  Object schemas = Object::object();
  for (const ApiResource& resource : resources.all()) {
    if (path_of(resource).substr(1) != path) continue;
    paths[object_path(resource)] = operations_of(resource);
    schemas[schema_name(resource)] = schema_of(resource);
  }
  if (paths.empty()) return nullptr;
  return {{"openapi", "3.0.0"}, {"info", info(version)}, {"paths", paths}, {"components", {{"schemas", schemas}}}};
}

Object v3_index(const ApiResources& resources, const Version& version) {
  Object paths = Object::object();
  for (const ApiResource& resource : resources.all()) {
    const std::string path = path_of(resource).substr(1);
    paths[path] = {{"serverRelativeURL", "/openapi/v3/" + path + "?hash=" + version.text()}};
  }
  return {{"paths", paths}};
}

Object v2_document(const ApiResources& resources, const Version& version) {
  Object paths = Object::object();
  Object definitions = Object::object();
  for (const ApiResource& resource : resources.all()) {
    Object operations = operations_of(resource);
    for (auto& [method, operation] : operations.items()) {
      for (Object& parameter : operation["parameters"]) {
        parameter.erase("schema");
        parameter["type"] = "string";
      }
    }
    paths[object_path(resource)] = std::move(operations);
    definitions[schema_name(resource)] = schema_of(resource);
  }
  return {{"swagger", "2.0"}, {"info", info(version)}, {"paths", paths}, {"definitions", definitions}};
}

}  // namespace

std::optional<HttpResponse> openapi_document(const ApiResources& resources, const Version& version,
                                             std::string_view path) {
  constexpr std::string_view v3 = "/openapi/v3";
  if (path == "/openapi/v2") return object_response(200, v2_document(resources, version));
  if (path == v3) return object_response(200, v3_index(resources, version));
  if (!path.starts_with("/openapi/v3/")) return std::nullopt;
  const Object document = v3_document(resources, version, path.substr(v3.size() + 1));
  if (document.is_null()) return std::nullopt;
  return object_response(200, document);
}

}  // namespace nodebound
