#pragma once

#include <string>

#include "fakes/validation/field_mistake.h"

namespace nodebound {

/// How the objects of a resource may be named.
enum class NameRule { subdomain, label, label_1035, path_segment };

/// By its name, `label`; an empty one is `subdomain`.
NameRule name_rule(std::string_view name);

/// What is wrong with the metadata of a new object (apimachinery's pkg/api/validation/objectmeta.go).
FieldMistakes wrong_metadata(const Object& metadata, bool namespaced, NameRule rule);

/// What is wrong with the change of an object's metadata.
FieldMistakes wrong_metadata_change(const Object& metadata, const Object& before);

/// Finalizers that do not say whose they are, as they must on most kinds (ValidateObjectMeta of
/// pkg/apis/core/validation).
FieldMistakes nobodys_finalizers(const Object& metadata);

}  // namespace nodebound
