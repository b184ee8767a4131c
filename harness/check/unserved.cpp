#include "harness/check/unserved.h"

#include "fakes/wire/resources/routes.h"
#include "reference/authorizer/attributes.h"

namespace nodebound {

std::string unserved(const ApiResources& resources, const std::string& method, const std::string& target) {
  const Attributes attributes = attributes_of(method, target);
  if (!attributes.resource_request) return {};
  const Route::Outcome outcome = route_of(resources, attributes).outcome;
  if (outcome == Route::Outcome::found) return {};
  std::string what = attributes.full_resource();
  if (!attributes.api_group.empty()) what += " of " + attributes.api_group;
  if (outcome == Route::Outcome::method_not_allowed) return "the release serves no " + attributes.verb + " of " + what;
  return "the release does not serve " + what;
}

}  // namespace nodebound
