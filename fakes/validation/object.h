#pragma once

#include <string>
#include <string_view>

#include "fakes/validation/field_mistake.h"
#include "fakes/validation/metadata.h"

namespace nodebound {

/// The kind of an object to be written.
struct ValidatedKind {
  std::string_view group;
  std::string_view resource;
  bool namespaced = false;
  NameRule names = NameRule::subdomain;
};

/// The errors of a new object after defaulting, in kube-apiserver's order. For kinds that do not concern nodes, only
/// the metadata is validated.
FieldMistakes wrong_object(const ValidatedKind& kind, const Object& object);

/// The errors of a change of an object, through the resource itself or through its `subresource`.
FieldMistakes wrong_change(const ValidatedKind& kind, std::string_view subresource, const Object& object,
                           const Object& before);

/// Whether two values mean the same: an empty value equals a missing one.
bool means_the_same(const Object& a, const Object& b);

}  // namespace nodebound
