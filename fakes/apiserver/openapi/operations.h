#pragma once

#include "fakes/apiserver/openapi/schemas.h"
#include "fakes/wire/resources/api_resources.h"
#include "reference/cluster/object.h"

namespace nodebound::apiserver {

/// Adds the paths of a resource and of its subresources, with what can be asked there; connections, such as exec, are
/// left out. The schemas that they refer to are added to `schemas`.
void add_paths(const ApiResource& resource, OpenApiVersion version, Schemas& schemas, Object& paths);

}  // namespace nodebound::apiserver
