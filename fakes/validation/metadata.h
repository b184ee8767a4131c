#pragma once

#include <string>

#include "fakes/validation/field_mistake.h"

namespace nodebound::validation {

/// The rule for the names of a resource's objects.
enum class NameRule { subdomain, label, label_1035, path_segment };

/// The rule with that name, such as `label`; empty means `subdomain`.
NameRule name_rule(std::string_view name);

/// The errors in the metadata of a new object (apimachinery's pkg/api/validation/objectmeta.go).
FieldMistakes wrong_metadata(const Object& metadata, bool namespaced, NameRule rule);

/// The errors in the change of an object's metadata.
FieldMistakes wrong_metadata_change(const Object& metadata, const Object& before);

/// The errors in labels, or in what selects by them.
FieldMistakes wrong_labels(const std::string& field, const Object& labels);

/// The error, one for all, of the value of a taint or toleration, which is that of a label.
FieldMistakes wrong_taint_value(const std::string& field, const std::string& value);

/// The error of a finalizer that has no domain and is not Kubernetes' own.
FieldMistakes nobodys_finalizer(const std::string& field, const Object& name);

/// Finalizers without a domain, which most kinds require (ValidateObjectMeta of pkg/apis/core/validation).
FieldMistakes nobodys_finalizers(const Object& metadata);

}  // namespace nodebound::validation
