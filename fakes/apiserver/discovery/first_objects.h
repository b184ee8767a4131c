#pragma once

#include <utility>
#include <vector>

#include "fakes/wire/resources/api_resources.h"
#include "reference/cluster/cluster.h"

namespace nodebound::apiserver {

/// The objects that an API server makes when it first starts on an empty store: namespaces, system PriorityClasses, its
/// own Service, and the bootstrap roles and bindings (those of `rbac`, from the catalogue, and others). They can be
/// adopted as they are, and come in the order in which to store them.
std::vector<std::pair<ObjectKey, Object>> first_objects(const ApiResources& resources, const RbacObjects& rbac,
                                                        const Release& release);

struct ServerState;

/// Stores those that do not exist yet, and repairs the others.
void make_first_objects(ServerState& server);

}  // namespace nodebound::apiserver
