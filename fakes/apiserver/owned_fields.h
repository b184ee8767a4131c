#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "fakes/encoding/list_keys.h"
#include "reference/cluster/object.h"

namespace nodebound {

/// The way to a field in the elements of FieldsV1: `f:spec`, `f:containers`, `k:{"name":"web"}`, `f:image`.
using FieldPath = std::vector<std::string>;
using FieldSet = std::set<FieldPath>;

/// What an object has, by the way to it. The object has to outlive it.
using FieldValues = std::map<FieldPath, const Object*>;

/// Whether it is the way to an item of a list.
bool is_item(const FieldPath& path);

/// As structured-merge-diff prints it: `.spec.containers[name="web"].image`.
std::string path_text(const FieldPath& path);

/// What tells the items of a list apart; nothing of a value that is replaced whole.
std::optional<std::vector<ListKey>> item_keys(const std::string& name, const Object& value);

/// What tells an item from the others, as an element of a path.
std::string element_of(const Object& item, const std::vector<ListKey>& keys);

/// What who applies a configuration owns: its leaves, and the items of its lists, which go with the last who has them.
FieldSet fields_of(const Object& configuration);

FieldValues values_of(const Object& object);

/// Whether both have the same there, or nothing.
bool same_at(const FieldValues& some, const FieldValues& others, const FieldPath& path);

/// The `fieldsV1` of an entry of managedFields, read and written.
FieldSet read_fields_v1(const Object& tree);
Object fields_v1(const FieldSet& fields);

}  // namespace nodebound
