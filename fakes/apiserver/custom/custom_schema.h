#pragma once

#include <string>
#include <vector>

#include "fakes/validation/field_mistake.h"
#include "reference/cluster/object.h"

namespace nodebound::apiserver {

// The structural schemas of CustomResourceDefinitions (apiextensions-apiserver's pkg/apiserver/schema).

/// Why a schema is not structural, or asks for what is not done here (rules in CEL). `path` is where it stands.
validation::FieldMistakes wrong_schema(const Object& schema, const std::string& path);

/// Removes the fields of an object that the schema does not know; their paths.
std::vector<std::string> prune(const Object& schema, Object& object);

/// Fills in what is missing and has a default.
void add_schema_defaults(const Object& schema, Object& value);

/// What is wrong with a value; `path` is empty for a whole object.
validation::FieldMistakes mistakes_by_schema(const Object& schema, const Object& value, const std::string& path = {});

}  // namespace nodebound::apiserver
