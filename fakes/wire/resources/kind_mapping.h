#pragma once

#include <optional>
#include <string>

#include "fakes/wire/resources/api_resources.h"
#include "reference/admission/owner_references.h"

namespace nodebound {

/// The resource of a kind, as the RESTMapper of an API server that serves these resources finds it
/// (k8s.io/client-go/restmapper/discovery.go): it also knows a kind in lower case, and lists, whose resources it makes
/// up.
std::optional<KindMapping> mapping_of(const ApiResources& resources, const std::string& group,
                                      const std::string& version, const std::string& kind);

}  // namespace nodebound
