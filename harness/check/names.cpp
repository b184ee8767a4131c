#include "harness/check/names.h"

#include <array>

#include "harness/scenario/substitute.h"
#include "reference/authorizer/attributes.h"

namespace nodebound {
namespace {

// Namespaces of every cluster, which scenarios use under their own names.
constexpr std::array<std::string_view, 4> system_namespaces = {"default", "kube-system", "kube-public",
                                                               "kube-node-lease"};

bool is_system_namespace(std::string_view name) {
  for (const std::string_view own : system_namespaces) {
    if (name == own) return true;
  }
  return false;
}

}  // namespace

Names::Names(std::string run_id, std::size_t scenario_number, Served served)
    : run_id_(std::move(run_id)),
      prefix_("nb-" + run_id_ + "-" + std::to_string(scenario_number) + "-"),
      served_(served) {}

const ApiResource* Names::served_resource(const RequestText& request) const {
  for (const ApiResource& resource : served_.resources.versions_of(request.group, request.resource)) {
    if (resource.group.empty() || served_.group_versions.contains(resource.group_version)) return &resource;
  }
  return nullptr;
}

std::string Names::api_version(const RequestText& request) const {
  if (const ApiResource* resource = served_resource(request)) return resource->group_version;
  if (request.group.empty()) return request.version;
  const std::string group = request.group + "/";
  std::string newest;
  for (const std::string& served : served_.group_versions) {
    if (!served.starts_with(group)) continue;
    const std::string version = served.substr(group.size());
    if (newest.empty() || is_newer_version(version, newest)) newest = version;
  }
  return group + (newest.empty() ? request.version : newest);
}

Object Names::envelope(const RequestText& request) const {
  const ApiResource* resource = served_resource(request);
  const ApiSubresource* subresource = resource == nullptr ? nullptr : resource->subresource(request.subresource);
  if (subresource != nullptr) return {{"apiVersion", subresource->group_version}, {"kind", subresource->kind}};
  return {{"apiVersion", api_version(request)}, {"kind", request.kind}};
}

std::string Names::cluster_scoped(std::string_view name) const {
  if (name.starts_with('=')) return percent_decoded(name.substr(1), false);
  return name.empty() || name.starts_with("system:") ? std::string(name) : prefix_ + std::string(name);
}

std::string Names::namespace_name(std::string_view name) const {
  if (name.starts_with('=')) {
    return with_own_names(name.substr(1));
  }
  return name.empty() || is_system_namespace(name) ? std::string(name) : prefix_ + std::string(name);
}

std::string Names::object_name(const RequestText& request) const {
  if (request.resource == "namespaces" && request.group.empty()) return namespace_name(request.name);
  // In a shared namespace, a name needs the prefix just as at cluster scope.
  const std::string& in = request.namespace_;
  const bool shared = in.empty() || in.starts_with('=') || is_system_namespace(in);
  return shared ? cluster_scoped(request.name) : request.name;
}

bool Names::shares_name(const RequestText& request) const {
  const bool of_namespaces = request.resource == "namespaces" && request.group.empty();
  const bool own_namespace = !request.namespace_.empty() && !is_system_namespace(request.namespace_);
  return (of_namespaces || !own_namespace) && object_name(request).find(prefix_) == std::string::npos;
}

std::string Names::path(const RequestText& request, bool collection) const {
  if (!request.resource_request) return request.path;
  std::string path = (request.group.empty() ? "/api/" : "/apis/") + api_version(request);
  // With a name, `?watch=true` is a get: one object is watched below /watch.
  if (request.verb == "watch" && !request.name.empty()) path += "/watch";
  if (!request.namespace_.empty()) path += "/namespaces/" + namespace_name(request.namespace_);
  path += "/" + request.resource;
  if (request.name.empty() || (collection && request.subresource.empty())) return path;
  path += "/" + percent_encoded(object_name(request));
  return request.subresource.empty() ? path : path + "/" + request.subresource;
}

std::string Names::with_own_names(std::string_view text) const {
  return substitute(text, [&](std::string_view name) {
    return std::optional(name.starts_with("ns ") ? namespace_name(name.substr(3)) : cluster_scoped(name));
  });
}

Subject Names::subject(const Scenario& scenario, const SubjectText& as, bool widened) const {
  Subject subject;
  if (as.kind == SubjectText::Kind::anonymous) {
    subject.name = "system:anonymous";
  } else if (as.is_node()) {
    subject.name = "system:node:" + cluster_scoped(as.name);
    subject.groups = {"system:nodes"};
  } else if (const TokenText* token = scenario.token_of(as)) {
    const std::string in = namespace_name(token->account.namespace_);
    subject.name = "system:serviceaccount:" + in + ":" + object_name(token->account);
    subject.groups = {"system:serviceaccounts", "system:serviceaccounts:" + in};
  } else {
    const NamedSubject& named = scenario.subjects.at(as.name);
    subject.name = with_own_names(named.user);
    for (const std::string& group : named.groups) subject.groups.push_back(with_own_names(group));
  }
  if (widened || scenario.widens(as)) subject.groups.push_back(widened_group());
  return subject;
}

}  // namespace nodebound
