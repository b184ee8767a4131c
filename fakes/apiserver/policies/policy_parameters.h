#pragma once

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "fakes/wire/resources/api_resources.h"
#include "reference/cluster/cluster.h"

namespace nodebound::apiserver {

/// The resource of a policy's `paramKind`; null if there is none. The error says that none is served.
tl::expected<const ApiResource*, std::string> param_resource(const Object& policy_spec, const ApiResources& resources);

/// The objects of parameters that a binding names, for a write in `namespace_`: a null one if the policy has no
/// parameters, and none if it is to be left out (CollectParams in pkg/admission/plugin/policy/generic below
/// k8s.io/apiserver).
tl::expected<std::vector<Object>, std::string> policy_parameters(const ApiResource* resource, const Object& param_ref,
                                                                 const std::string& namespace_, const Cluster& cluster);

}  // namespace nodebound::apiserver
