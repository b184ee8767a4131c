#pragma once

#include <string>
#include <vector>

#include "fakes/wire/http.h"
#include "fakes/wire/resources/api_resources.h"

namespace nodebound {

/// The objects that the answer to an allowed GET shows although the request does not select them: another name,
/// namespace or kind, or other labels or fields than its selectors ask for. Each as `secrets "db" in namespace "shop"`.
///
/// Reads an object, a list, a Table or the events of a watch, in JSON. Anything else, such as a log, shows no object.
std::vector<std::string> objects_not_asked_for(const HttpRequest& request, const HttpResponse& response,
                                               const ApiResources& resources);

}  // namespace nodebound
