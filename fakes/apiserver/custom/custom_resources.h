#pragma once

#include <string>
#include <vector>

#include "fakes/apiserver/resources/strategy.h"
#include "fakes/wire/resources/api_resources.h"
#include "reference/cluster/cluster.h"

namespace nodebound::apiserver {

/// The resources that the CustomResourceDefinitions of a cluster define, in the versions that are served.
std::vector<ApiResource> custom_resources_of(const Cluster& cluster);

/// Name and resourceVersion of each CustomResourceDefinition: whether they have changed.
std::vector<std::string> definitions_in(const Cluster& cluster);

/// What is special about the objects of custom resources: their schema decides.
const Strategy& custom_strategy();

/// The paths of the fields that the schema of a custom resource does not know.
std::vector<std::string> unknown_custom_fields(const ApiResource& resource, Object object);

/// The mistakes of an object of a custom resource.
validation::FieldMistakes mistakes_of_custom_object(const ApiResource& resource, const Object& object);

}  // namespace nodebound::apiserver
