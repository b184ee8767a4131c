#include "fakes/apiserver/policies/policy_parameters.h"

#include <optional>

#include "fakes/apiserver/status.h"
#include "reference/cluster/label_selector.h"

namespace nodebound::apiserver {
namespace {

using Parameters = tl::expected<std::vector<Object>, std::string>;

Parameters misconfigured(std::string why) {
  return tl::unexpected(std::move(why));
}

Parameters selected_parameters(const ApiResource& resource, const Object& param_ref, const std::string& in,
                               const Cluster& cluster) {
  std::vector<Object> out;
  if (const std::string name(text(param_ref, "name")); !name.empty()) {
    const ObjectPtr found = cluster.find(resource.group, resource.resource, in, name);
    if (found != nullptr) out.push_back(served_as(resource, *found));
    return out;
  }
  const std::optional<LabelSelector> selector = LabelSelector::of(member(param_ref, "selector"));
  if (!selector) return misconfigured("one of name or selector must be provided");
  cluster.each(resource.group, resource.resource, in, [&](const ObjectKey&, const Object& object) {
    if (selector->matches(object)) out.push_back(served_as(resource, object));
  });
  return out;
}

}  // namespace

tl::expected<const ApiResource*, std::string> param_resource(const Object& policy_spec, const ApiResources& resources) {
  const Object& wanted = member(policy_spec, "paramKind");
  if (!wanted.is_object()) return nullptr;
  const std::string version(text(wanted, "apiVersion"));
  const std::string kind(text(wanted, "kind"));
  for (const ApiResource& resource : resources.all()) {
    if (resource.group_version == version && resource.kind == kind) return &resource;
  }
  const std::string group = version.find('/') == std::string::npos ? "/" : "";
  return tl::unexpected("failed to find resource referenced by paramKind: '" + group + version + ", Kind=" + kind +
                        "'");
}

tl::expected<std::vector<Object>, std::string> policy_parameters(const ApiResource* resource, const Object& param_ref,
                                                                 const std::string& namespace_,
                                                                 const Cluster& cluster) {
  if (resource == nullptr || !param_ref.is_object()) return std::vector<Object>{nullptr};
  std::string in(text(param_ref, "namespace"));
  if (!resource->namespaced && !in.empty()) {
    return misconfigured("paramRef.namespace must not be provided for a cluster-scoped `paramKind`");
  }
  if (resource->namespaced && in.empty()) in = namespace_;
  if (resource->namespaced && in.empty()) {
    return misconfigured("cannot use namespaced paramRef in policy binding that matches cluster-scoped resources");
  }
  Parameters out = selected_parameters(*resource, param_ref, in, cluster);
  if (out && out->empty() && text(param_ref, "parameterNotFoundAction") == "Deny") {
    return misconfigured("no params found for policy binding with `Deny` parameterNotFoundAction");
  }
  return out;
}

}  // namespace nodebound::apiserver
