#include "harness/simulate/control_plane/cluster_administrator.h"

#include "fakes/wire/media_type.h"
#include "fakes/wire/resources/api_catalogue.h"
#include "reference/cluster/object.h"

namespace nodebound::simulate {
namespace {

const Subject administrator{"nodebound-administrator", {"system:masters"}, "", {}};

std::string why(const HttpResponse& response) {
  const Object status = Object::parse(response.body, nullptr, false);
  const std::string message(status.is_object() ? text(status, "message") : "");
  return "HTTP " + std::to_string(response.status) + (message.empty() ? "" : ": " + message);
}

// Removes fields that belong to the server from which an object was read.
void forget_where_from(Object& object) {
  Object& metadata = object["metadata"];
  for (const char* field :
       {"uid", "resourceVersion", "creationTimestamp", "generation", "managedFields", "selfLink", "ownerReferences"}) {
    metadata.erase(field);
  }
}

}  // namespace

HttpResponse ClusterAdministrator::call(const char* method, const std::string& target, const Object& body) {
  HttpRequest request{method, target, "", ""};
  if (!body.is_null()) {
    const bool patch = request.method == "PATCH";
    request.content_type = patch ? "application/strategic-merge-patch+json" : "application/json";
    request.body = body.dump();
  }
  return servers_.handle_administrator(administrator, request);
}

Result<void> ClusterAdministrator::apply(Object object, const std::string& where) {
  const std::string version(text(object, "apiVersion"));
  const std::string kind(text(object, "kind"));
  const auto group_version = parse_group_version(version);
  const auto* resource = group_version ? ApiCatalogue::built_in().find_kind(group_version->group, kind) : nullptr;
  if (resource == nullptr) {
    return input_error(where, "there is no kind \"" + kind + "\" in \"" + version + "\"",
                       "say apiVersion and kind of an API object");
  }
  forget_where_from(object);
  std::string namespace_(text(object, "metadata", "namespace"));
  if (resource->namespaced && namespace_.empty()) namespace_ = "default";
  if (!resource->namespaced) namespace_.clear();
  const std::string name(text(object, "metadata", "name"));
  if (kind == "Namespace") {
    make_namespace(name);
    return {};
  }
  if (!namespace_.empty()) make_namespace(namespace_);
  HttpResponse response = call("POST", api_path(version, resource->resource, namespace_), object);
  const std::string own = api_path(version, resource->resource, namespace_, name);
  if (response.status == 409) {
    const Object found = Object::parse(call("GET", own).body, nullptr, false);
    object["metadata"]["resourceVersion"] = text(found, "metadata", "resourceVersion");
    response = call("PUT", own, object);
  }
  if (response.status >= 400 || response.status == 0) {
    return input_error(where, kind + " \"" + name + "\" cannot be made: " + why(response));
  }
  if (object.contains("status") && kind != "Node" && kind != "Pod") {
    object["metadata"].erase("resourceVersion");
    call("PUT", own + "/status", object);
  }
  return {};
}

std::optional<Object> ClusterAdministrator::find(const ObjectPath& path) {
  const std::string version = served_version(path.resource);
  const HttpResponse response = call("GET", api_path(version, path.resource, path.namespace_, path.name));
  return response.status == 200 ? std::optional(Object::parse(response.body, nullptr, false)) : std::nullopt;
}

std::string ClusterAdministrator::uid_of(const ObjectPath& path) {
  const std::optional<Object> found = find(path);
  return found ? std::string(text(*found, "metadata", "uid")) : std::string();
}

std::string ClusterAdministrator::served_version(const std::string& resource) {
  const auto* entry = ApiCatalogue::built_in().find(resource, std::nullopt);
  if (entry == nullptr) return {};
  for (const ApiVersionEntry& version : entry->versions) {
    std::string group_version = entry->group.empty() ? version.version : entry->group + "/" + version.version;
    const std::string some_namespace = entry->namespaced ? "default" : "";
    if (call("GET", api_path(group_version, resource, some_namespace) + "?limit=1").status == 200) return group_version;
  }
  return {};
}

Result<void> ClusterAdministrator::remove(const ObjectPath& gone, const std::string& where) {
  const std::string version = served_version(gone.resource);
  if (version.empty()) return input_error(where, "the control plane does not serve " + gone.resource);
  if (gone.resource == "namespaces") namespaces_.erase(gone.name);
  const HttpResponse response = call("DELETE", api_path(version, gone.resource, gone.namespace_, gone.name));
  if (response.status == 0 || (response.status >= 400 && response.status != 404)) {
    return input_error(where, gone.text() + " cannot be deleted: " + why(response));
  }
  return {};
}

void ClusterAdministrator::make_namespace(const std::string& name) {
  if (namespaces_.contains(name)) return;
  const int status = call("POST", "/api/v1/namespaces", {{"metadata", {{"name", name}}}}).status;
  if (status == 201 || status == 409) namespaces_.insert(name);
  const std::string inside = "/api/v1/namespaces/" + name;
  call("POST", inside + "/serviceaccounts", {{"metadata", {{"name", "default"}}}});
  call("POST", inside + "/configmaps", {{"metadata", {{"name", "kube-root-ca.crt"}}}});
}

}  // namespace nodebound::simulate
