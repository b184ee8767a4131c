#include "fakes/apiserver/discovery/discovery.h"

#include <algorithm>

#include "fakes/apiserver/status.h"
#include "reference/cluster/object.h"

namespace nodebound::apiserver {
namespace {

using Group = ApiResources::Group;

Object list_of(const std::vector<std::string>& texts) {
  return texts.empty() ? Object::array() : Object(texts);
}

// An API server installs the paths of a group in alphabetical order (apiserver's endpoints/installer.go).
void sort_by(const char* name, Object& entries) {
  std::sort(entries.begin(), entries.end(), [&](const Object& a, const Object& b) { return a[name] < b[name]; });
}

void add_names(Object& entry, const ApiResource& resource) {
  if (!resource.short_names.empty()) entry["shortNames"] = list_of(resource.short_names);
  if (!resource.categories.empty()) entry["categories"] = list_of(resource.categories);
}

// The group and version of the objects that a subresource takes, if they differ from the resource's own.
void add_type(Object& entry, const ApiSubresource& subresource, const std::string& group_version) {
  if (subresource.group_version == group_version) return;
  const std::size_t slash = subresource.group_version.find('/');
  entry["group"] = slash == std::string::npos ? "" : subresource.group_version.substr(0, slash);
  entry["version"] =
      slash == std::string::npos ? subresource.group_version : subresource.group_version.substr(slash + 1);
}

Object resource_list(const ApiResources& resources, const std::string& group, const std::string& version) {
  Object out = Object::array();
  const std::string group_version = group_version_of(group, version);
  for (const ApiResource& resource : resources.all()) {
    if (resource.group != group || resource.version != version) continue;
    Object entry = {{"name", resource.resource},
                    {"singularName", resource.singular},
                    {"namespaced", resource.namespaced},
                    {"kind", resource.kind},
                    {"verbs", list_of(resource.verbs)}};
    add_names(entry, resource);
    out.push_back(std::move(entry));
    for (const ApiSubresource& subresource : resource.subresources) {
      Object own = {{"name", resource.resource + "/" + subresource.name},
                    {"singularName", ""},
                    {"namespaced", resource.namespaced},
                    {"kind", subresource.kind},
                    {"verbs", list_of(subresource.verbs)}};
      add_type(own, subresource, group_version);
      out.push_back(std::move(own));
    }
  }
  sort_by("name", out);
  Object list = {{"kind", "APIResourceList"}, {"groupVersion", group_version}, {"resources", std::move(out)}};
  if (!group.empty()) list["apiVersion"] = "v1";
  return list;
}

Object group_entry(const Group& group) {
  Object versions = Object::array();
  const auto entry = [&](const std::string& version) {
    return Object{{"groupVersion", group_version_of(group.name, version)}, {"version", version}};
  };
  for (const std::string& version : group.versions) versions.push_back(entry(version));
  return {{"name", group.name}, {"versions", std::move(versions)}, {"preferredVersion", entry(group.preferred)}};
}

Object group_list(const ApiResources& resources) {
  Object groups = Object::array();
  for (const Group& group : resources.groups()) {
    if (!group.name.empty()) groups.push_back(group_entry(group));
  }
  return {{"kind", "APIGroupList"}, {"apiVersion", "v1"}, {"groups", std::move(groups)}};
}

// Aggregated discovery (KEP-3352) ------------------------------------------------------------------------------------

Object response_kind(const std::string& group_version, const std::string& kind) {
  const std::size_t slash = group_version.find('/');
  return {{"group", slash == std::string::npos ? "" : group_version.substr(0, slash)},
          {"version", slash == std::string::npos ? group_version : group_version.substr(slash + 1)},
          {"kind", kind}};
}

Object aggregated_resource(const ApiResource& resource) {
  Object entry = {{"resource", resource.resource},
                  {"responseKind", response_kind(resource.group_version, resource.kind)},
                  {"scope", resource.namespaced ? "Namespaced" : "Cluster"},
                  {"singularResource", resource.singular},
                  {"verbs", list_of(resource.verbs)}};
  add_names(entry, resource);
  for (const ApiSubresource& subresource : resource.subresources) {
    entry["subresources"].push_back({{"subresource", subresource.name},
                                     {"responseKind", response_kind(subresource.group_version, subresource.kind)},
                                     {"verbs", list_of(subresource.verbs)}});
  }
  if (entry.contains("subresources")) sort_by("subresource", entry["subresources"]);
  return entry;
}

Object aggregated_group(const ApiResources& resources, const Group& group) {
  Object versions = Object::array();
  const auto add = [&](const std::string& version) {
    Object own = Object::array();
    for (const ApiResource& resource : resources.all()) {
      if (resource.group == group.name && resource.version == version) own.push_back(aggregated_resource(resource));
    }
    sort_by("resource", own);
    versions.push_back({{"version", version}, {"resources", std::move(own)}, {"freshness", "Current"}});
  };
  // Clients prefer the first version.
  add(group.preferred);
  for (const std::string& version : group.versions) {
    if (version != group.preferred) add(version);
  }
  Object metadata = Object::object();
  if (!group.name.empty()) metadata["name"] = group.name;
  return {{"metadata", metadata}, {"versions", std::move(versions)}};
}

// The version of apidiscovery.k8s.io that a client accepts; empty if none.
std::string aggregated_version(const HttpRequest& request, const Release& server) {
  const std::string& accept = request.accept;
  if (accept.find("as=APIGroupDiscoveryList") == std::string::npos) return "";
  if (server.does(Behaviour::aggregated_discovery_v2) && accept.find("v=v2;") != std::string::npos) return "v2";
  if (server.does(Behaviour::aggregated_discovery) && accept.find("v=v2beta1") != std::string::npos) return "v2beta1";
  return "";
}

HttpResponse aggregated(const ApiResources& resources, bool core, const std::string& version) {
  Object items = Object::array();
  for (const Group& group : resources.groups()) {
    if (group.name.empty() == core) items.push_back(aggregated_group(resources, group));
  }
  HttpResponse response = object_response(200, {{"kind", "APIGroupDiscoveryList"},
                                                {"apiVersion", "apidiscovery.k8s.io/" + version},
                                                {"metadata", Object::object()},
                                                {"items", std::move(items)}});
  response.content_type = "application/json;g=apidiscovery.k8s.io;v=" + version + ";as=APIGroupDiscoveryList";
  response.headers["vary"] = "Accept";
  return response;
}

// --------------------------------------------------------------------------------------------------------------------

// The binary version, the emulated version and the minimum compatible version (KEP-4330) are the same here.
Object version_info(const Release& release) {
  const Version& version = release.version;
  Object info = {{"major", std::to_string(version.major)},
                 {"minor", std::to_string(version.minor)},
                 {"gitVersion", "v" + version.text()},
                 {"gitCommit", ""},
                 {"gitTreeState", "clean"},
                 {"buildDate", "1970-01-01T00:00:00Z"},
                 {"goVersion", "none"},
                 {"compiler", "nodebound"},
                 {"platform", "linux/amd64"}};
  if (release.does(Behaviour::version_compatibility)) {
    info["emulationMajor"] = info["minCompatibilityMajor"] = std::to_string(version.major);
    info["emulationMinor"] = std::to_string(version.minor);
    info["minCompatibilityMinor"] = std::to_string(version.previous_minor().minor);
  }
  return info;
}

Object api_versions() {
  return {{"kind", "APIVersions"},
          {"versions", {"v1"}},
          {"serverAddressByClientCIDRs", {{{"clientCIDR", "0.0.0.0/0"}, {"serverAddress", ""}}}}};
}

// The document at a path below /apis: of a group, or of one version of it.
std::optional<HttpResponse> group_at(const ApiResources& resources, std::string_view path) {
  const std::size_t slash = path.find('/');
  const std::string name(path.substr(0, slash));
  const Group* group = name.empty() ? nullptr : resources.find_group(name);
  if (group == nullptr) return std::nullopt;
  if (slash == std::string_view::npos) {
    Object entry = group_entry(*group);
    entry["kind"] = "APIGroup";
    entry["apiVersion"] = "v1";
    return object_response(200, entry);
  }
  const std::string version(path.substr(slash + 1));
  for (const std::string& own : group->versions) {
    if (own == version) return object_response(200, resource_list(resources, name, version));
  }
  return std::nullopt;
}

// The list of paths at `/`, for people.
HttpResponse index(const ApiResources& resources) {
  std::vector<std::string> paths = {"/api", "/api/v1", "/apis", "/apis/"};
  for (const ApiResources::Group& group : resources.groups()) {
    if (group.name.empty()) continue;
    paths.push_back("/apis/" + group.name);
    for (const std::string& version : group.versions) paths.push_back("/apis/" + group.name + "/" + version);
  }
  for (const char* path :
       {"/healthz", "/livez", "/metrics", "/openapi/v2", "/openapi/v3", "/openapi/v3/", "/readyz", "/version"}) {
    paths.emplace_back(path);
  }
  return object_response(200, {{"paths", paths}});
}

// The documents that list what is served: the groups, their versions, the resources of a version.
std::optional<HttpResponse> resource_document(const ApiResources& resources, const Release& release,
                                              const HttpRequest& request, std::string_view path) {
  if (path == "/version") return object_response(200, version_info(release));
  if (path == "/api" || path == "/apis") {
    const std::string as = aggregated_version(request, release);
    if (!as.empty()) return aggregated(resources, path == "/api", as);
    return object_response(200, path == "/api" ? api_versions() : group_list(resources));
  }
  if (path == "/api/v1") return object_response(200, resource_list(resources, "", "v1"));
  if (path.starts_with("/apis/")) return group_at(resources, path.substr(6));
  return std::nullopt;
}

}  // namespace

std::optional<HttpResponse> discovered(const ApiResources& resources, const Release& release,
                                       const HttpRequest& request, std::string_view path) {
  if (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  if (path == "/") return index(resources);
  std::optional<HttpResponse> found = resource_document(resources, release, request, path);
  // The aggregator serves /apis and /apis/GROUP; it answers every method there as a GET.
  const bool aggregated =
      path == "/apis" || (path.starts_with("/apis/") && path.find('/', 6) == std::string_view::npos);
  if (!found || aggregated || request.method == "GET" || request.method == "HEAD") return found;
  return failure(405, "MethodNotAllowed", "the server does not allow this method on the requested resource");
}

}  // namespace nodebound::apiserver
