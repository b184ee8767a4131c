#include "fakes/apiserver/discovery/discovery.h"

#include <algorithm>
#include <array>

#include "fakes/apiserver/read/negotiation.h"
#include "fakes/apiserver/status.h"
#include "reference/cluster/object.h"
#include "reference/release/behaviour_ids.h"

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

bool is_aggregated(const AcceptClause& clause, const Release& server) {
  if (clause.parameter("g") != "apidiscovery.k8s.io" || clause.parameter("as") != "APIGroupDiscoveryList") return false;
  const std::string_view version = clause.parameter("v");
  return (version == "v2" && server.does(Behaviour::aggregated_discovery_v2)) ||
         (version == "v2beta1" && server.does(Behaviour::aggregated_discovery));
}

// The version of apidiscovery.k8s.io that a client prefers to other documents; empty if none.
std::string aggregated_version(const HttpRequest& request, const Release& server) {
  for (const AcceptClause& clause : accepted(request.accept)) {
    if (!media_type_of(clause)) continue;
    if (is_aggregated(clause, server)) return std::string(clause.parameter("v"));
    if (is_plain(clause)) return "";
  }
  return "";
}

bool accepts_a_plain_document(const HttpRequest& request) {
  const std::vector<AcceptClause> clauses = accepted(request.accept);
  return std::any_of(clauses.begin(), clauses.end(),
                     [](const AcceptClause& clause) { return media_type_of(clause) && is_plain(clause); });
}

HttpResponse no_plain_document() {
  return failure(406, "NotAcceptable",
                 "only the following media types are accepted: application/json, application/yaml, "
                 "application/vnd.kubernetes.protobuf");
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
    const bool is_directory = request.target.starts_with("/apis/");
    const std::string as = is_directory ? "" : aggregated_version(request, release);
    if (!as.empty()) return aggregated(resources, path == "/api", as);
    return object_response(200, path == "/api" ? api_versions() : group_list(resources));
  }
  if (path == "/api/v1") return object_response(200, resource_list(resources, "", "v1"));
  if (path.starts_with("/apis/")) return group_at(resources, path.substr(6));
  return std::nullopt;
}

// The media types of a document.
std::span<const std::string_view> types_at(std::string_view path) {
  static constexpr std::array<std::string_view, 3> types = {"application/json", "application/yaml",
                                                            "application/vnd.kubernetes.protobuf"};
  return std::span(types).first(path == "/version" ? 1 : types.size());
}

}  // namespace

// go-restful looks at the method and the media types before a handler is asked.
std::optional<HttpResponse> refused_by_route(const HttpRequest& request, std::span<const std::string_view> types) {
  if (request.method != "GET") {
    return failure(405, "MethodNotAllowed", "the server does not allow this method on the requested resource",
                   Object::object());
  }
  return is_acceptable(request.accept, types) ? std::nullopt : std::optional(not_acceptable(types));
}

std::optional<HttpResponse> discovered(const ApiResources& resources, const Release& release,
                                       const HttpRequest& request, std::string_view path) {
  const bool is_directory = path.size() > 1 && path.ends_with('/');
  if (is_directory) path.remove_suffix(1);
  if (path == "/" || path == "/index.html") return index(resources);
  std::optional<HttpResponse> found = resource_document(resources, release, request, path);
  if (!found && path.starts_with("/api/")) {
    return failure(404, "NotFound", "the server could not find the requested resource", Object::object());
  }
  if (!found) return std::nullopt;
  // The aggregator serves /apis and /apis/GROUP; it answers every method there as a GET.
  const bool of_aggregator =
      path == "/apis" || (path.starts_with("/apis/") && path.find('/', 6) == std::string_view::npos);
  if (!of_aggregator) {
    if (auto refusal = refused_by_route(request, types_at(path))) return refusal;
  }
  if (path == "/version") return found;
  const bool aggregates = path == "/api" || (path == "/apis" && !is_directory);
  const bool is_aggregated = aggregates && !aggregated_version(request, release).empty();
  if (!is_aggregated && !accepts_a_plain_document(request)) return no_plain_document();
  return found;
}

bool is_always_json(std::string_view path) {
  if (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  return path == "/" || path == "/index.html" || path == "/version" || path == "/openapi/v3" ||
         path.starts_with("/.well-known/");
}

}  // namespace nodebound::apiserver
