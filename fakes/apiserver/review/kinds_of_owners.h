#pragma once

#include "fakes/wire/resources/api_resources.h"
#include "reference/admission/owner_references.h"
#include "reference/cluster/cluster.h"

namespace nodebound::apiserver {

/// What an API server of that release serves as the kind of an owner: what it has of its own, and what the
/// CustomResourceDefinitions among the objects define. Release and cluster must outlive it. Thread-safe.
FindKind kinds_of_owners(const Release& release, RuntimeConfig config, const Cluster& cluster);

}  // namespace nodebound::apiserver
