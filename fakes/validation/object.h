#pragma once

#include <string>
#include <string_view>

#include "fakes/validation/field_mistake.h"
#include "fakes/validation/metadata.h"

namespace nodebound {

/// What is to be written of a kind.
struct ValidatedKind {
  std::string_view group;
  std::string_view resource;
  bool namespaced = false;
  NameRule names = NameRule::subdomain;
};

/// What is wrong with a new object, after defaults: in the order in which kube-apiserver tells it. Kinds that nodes
/// have nothing to do with are held to the rules of all metadata only.
FieldMistakes wrong_object(const ValidatedKind& kind, const Object& object);

/// What is wrong with a change of an object through the resource itself, or through its `subresource`.
FieldMistakes wrong_change(const ValidatedKind& kind, std::string_view subresource, const Object& object,
                           const Object& before);

/// Whether two values mean the same: what is empty is as good as what is not there.
bool means_the_same(const Object& a, const Object& b);

}  // namespace nodebound
