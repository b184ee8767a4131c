#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "fakes/wire/value_type.h"
#include "reference/cluster/object.h"

namespace nodebound::apiserver {

/// The path to a field, as elements of FieldsV1: `f:spec`, `f:containers`, `k:{"name":"web"}`, `f:image`.
using FieldPath = std::vector<std::string>;
using FieldSet = std::set<FieldPath>;

/// As structured-merge-diff prints it: `.spec.containers[name="web"].image`.
std::string path_text(const FieldPath& path);

/// The path element that identifies an item of a list; without keys, its value does.
std::string element_of(const Object& item, const std::vector<ListKey>& keys);

/// The fields that an apply of this configuration owns (typed/tofieldset.go of structured-merge-diff).
FieldSet fields_of(const ValueType& type, const Object& configuration);

/// What differs between two objects; no field is in two of the sets.
struct FieldChanges {
  FieldSet removed;
  FieldSet modified;
  FieldSet added;

  /// The fields that have a new value.
  [[nodiscard]] FieldSet written() const;
};

/// Compares two objects (typed/compare.go of structured-merge-diff).
FieldChanges compared(const ValueType& type, const Object& before, const Object& after);

/// Removes these fields and all below them.
void remove_below(FieldSet& fields, const FieldSet& tops);

/// Removes these fields, but not what is below them.
void remove_exactly(FieldSet& fields, const FieldSet& others);

/// Reads and writes the `fieldsV1` of an entry of managedFields.
FieldSet read_fields_v1(const Object& tree);
Object fields_v1(const FieldSet& fields);

}  // namespace nodebound::apiserver
