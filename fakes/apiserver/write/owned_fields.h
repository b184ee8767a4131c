#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "fakes/wire/list_keys.h"
#include "reference/cluster/object.h"

namespace nodebound {

/// The path to a field, as elements of FieldsV1: `f:spec`, `f:containers`, `k:{"name":"web"}`, `f:image`.
using FieldPath = std::vector<std::string>;
using FieldSet = std::set<FieldPath>;

/// The values of an object by path. The object must outlive them.
using FieldValues = std::map<FieldPath, const Object*>;

/// Whether the path leads to an item of a list.
bool is_item(const FieldPath& path);

/// As structured-merge-diff prints it: `.spec.containers[name="web"].image`.
std::string path_text(const FieldPath& path);

/// The keys that identify the items of a list; nothing for a value that is replaced as a whole.
std::optional<std::vector<ListKey>> item_keys(const std::string& name, const Object& value);

/// The path element that identifies an item of a list.
std::string element_of(const Object& item, const std::vector<ListKey>& keys);

/// The fields that an apply of this configuration owns: its leaves, and its list items, which are removed with their
/// last owner.
FieldSet fields_of(const Object& configuration);

FieldValues values_of(const Object& object);

/// Whether both have the same value at the path, or both have none.
bool same_at(const FieldValues& some, const FieldValues& others, const FieldPath& path);

/// Reads and writes the `fieldsV1` of an entry of managedFields.
FieldSet read_fields_v1(const Object& tree);
Object fields_v1(const FieldSet& fields);

}  // namespace nodebound
