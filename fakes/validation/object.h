#pragma once

#include "fakes/validation/field_mistake.h"
#include "fakes/validation/metadata.h"

namespace nodebound::validation {

/// The checks of a kind, apart from those of any metadata. Without checks, only the metadata is validated.
struct KindChecks {
  FieldMistakes (*object)(const Object& object) = nullptr;                              ///< new or changed
  FieldMistakes (*in_release)(const Object& object, const Release& release) = nullptr;  ///< the same, by release
  FieldMistakes (*created)(const Object& object) = nullptr;                             ///< new
  FieldMistakes (*created_in_release)(const Object& object, const Release& release) = nullptr;  ///< new, by release
  FieldMistakes (*change)(const Object& object, const Object& before) = nullptr;                ///< changed
  FieldMistakes (*change_in_release)(const Object& object, const Object& before, const Release& release) = nullptr;
  bool whole_on_change = true;  ///< a changed object is checked completely again, including its name
  bool metadata = true;         ///< the kind itself validates its metadata, before what is asked of every kind
  /// How often the metadata of a changed object is checked, and a mistake found. Twice as for every kind, once by most
  /// as that of a change, and again by those that check the whole object.
  int metadata_checks = 4;
  bool metadata_change = true;  ///< when the whole object changes, the kind checks the change of its metadata, too
  bool any_finalizers = false;  ///< finalizers need no domain
  bool declared = true;         ///< declarations of its types say what is valid, too, in releases that have them
};

/// The checks of a change through a subresource.
struct SubresourceChecks {
  FieldMistakes (*change)(const Object& object, const Object& before) = nullptr;
  FieldMistakes (*change_in_release)(const Object& object, const Object& before, const Release& release) = nullptr;
};

/// The kind of an object to be written.
struct ValidatedKind {
  const KindChecks& checks;
  bool namespaced = false;
  NameRule names = NameRule::subdomain;
  const Release* release = nullptr;  ///< for the checks that go by it, which are left out without
};

/// The errors of a new object after defaulting, in kube-apiserver's order. Some are found, and listed, several times.
/// Those of rules come after those of the metadata.
FieldMistakes wrong_object(const ValidatedKind& kind, const Object& object, const FieldMistakes& of_rules = {});

/// The errors of a change of an object through the resource itself.
FieldMistakes wrong_change(const ValidatedKind& kind, const Object& object, const Object& before,
                           const FieldMistakes& of_rules = {});

/// The errors of a change through a subresource.
FieldMistakes wrong_subresource_change(const ValidatedKind& kind, const SubresourceChecks& checks, const Object& object,
                                       const Object& before, const FieldMistakes& of_rules = {});

/// Whether two values mean the same: an empty value equals a missing one.
bool means_the_same(const Object& a, const Object& b);

}  // namespace nodebound::validation
