#pragma once

#include "fakes/wire/resources/api_resources.h"
#include "reference/authorizer/attributes.h"

namespace nodebound {

/// The part of the API that a request is for.
struct Route {
  enum class Outcome {
    found,
    no_such_group,      ///< nothing is served below this path
    no_such_path,       ///< the group does not have the version, resource or subresource, or not at this path
    method_not_allowed  ///< the path exists, but not for this verb
  };
  Outcome outcome = Outcome::no_such_group;
  const ApiResource* resource = nullptr;
  const ApiSubresource* subresource = nullptr;  ///< null if the request names no subresource
};

/// Finds the resource of a request among those that are served, as the API server's router does.
Route route_of(const ApiResources& resources, const Attributes& attributes);

}  // namespace nodebound
