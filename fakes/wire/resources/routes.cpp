#include "fakes/wire/resources/routes.h"

#include <algorithm>
#include <initializer_list>

namespace nodebound {
namespace {

using Outcome = Route::Outcome;

bool among(std::initializer_list<std::string_view> verbs, std::string_view verb) {
  return std::find(verbs.begin(), verbs.end(), verb) != verbs.end();
}

Outcome allowed_if(bool allowed) {
  return allowed ? Outcome::found : Outcome::method_not_allowed;
}

// For lists and watches, the attribute `name` comes from the field selector and not from the path.
bool is_named(const Attributes& attributes) {
  return !attributes.name.empty() && attributes.verb != "list" && attributes.verb != "watch";
}

// `/api/v1/namespaces/shop` is the Namespace itself, although its attributes name the namespace shop.
bool in_namespace(const Attributes& attributes, const ApiResource& resource) {
  const bool itself = resource.resource == "namespaces" && attributes.namespace_ == attributes.name;
  return !attributes.namespace_.empty() && !itself;
}

Outcome outcome_of(const Attributes& attributes, const ApiResource& resource, const ApiSubresource* subresource) {
  const bool namespaced = in_namespace(attributes, resource);
  const bool named = is_named(attributes);
  if (namespaced && !resource.namespaced) return Outcome::no_such_path;
  if (resource.namespaced && !namespaced) {
    // Across all namespaces, only list and watch exist.
    if (named || !resource.serves("list")) return Outcome::no_such_path;
    return allowed_if(among({"list", "watch"}, attributes.verb) && resource.serves(attributes.verb));
  }
  if (attributes.subresource.empty() && attributes.beyond) return Outcome::no_such_path;
  if (!attributes.subresource.empty()) {
    const bool too_long = attributes.beyond && (subresource == nullptr || !subresource->connect);
    if (too_long) return Outcome::no_such_path;
    return subresource == nullptr ? Outcome::no_such_path : allowed_if(subresource->serves(attributes.verb));
  }
  if (named && !resource.serves("get")) return Outcome::no_such_path;
  const bool fits = named ? among({"get", "update", "patch", "delete"}, attributes.verb)
                          : among({"create", "list", "watch", "deletecollection"}, attributes.verb);
  return allowed_if(fits && resource.serves(attributes.verb));
}

}  // namespace

Route route_of(const ApiResources& resources, const Attributes& attributes) {
  Route route;
  route.resource = resources.find(attributes.api_group, attributes.api_version, attributes.resource);
  if (route.resource == nullptr) {
    route.outcome =
        resources.find_group(attributes.api_group) == nullptr ? Outcome::no_such_group : Outcome::no_such_path;
    return route;
  }
  route.subresource = attributes.subresource.empty() ? nullptr : route.resource->subresource(attributes.subresource);
  route.outcome = outcome_of(attributes, *route.resource, route.subresource);
  return route;
}

}  // namespace nodebound
