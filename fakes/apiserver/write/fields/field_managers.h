#pragma once

#include <map>
#include <string>

#include "fakes/apiserver/write/fields/owned_fields.h"

namespace nodebound::apiserver {

/// Who owns fields. The version through which it updated is part of the identity; appliers have one set for all.
struct ManagerId {
  std::string manager;
  std::string operation;    ///< `Apply` or `Update`
  std::string api_version;  ///< empty for `Apply`
  std::string subresource;

  auto operator<=>(const ManagerId&) const = default;

  /// As conflicts name it: quoted, `"one" with subresource "status" using v1`.
  [[nodiscard]] std::string text() const;
};

struct ManagedFields {
  std::string api_version;
  Object time;  ///< null if the entry has none
  FieldSet fields;
};

/// The managedFields of an object.
using FieldManagers = std::map<ManagerId, ManagedFields>;

/// Reads them from an object; none if they cannot be read.
FieldManagers managers_of(const Object& object);

/// Stores those that own a field.
void set_managers(Object& object, const FieldManagers& managers);

/// Whether both objects are the same, but for the times of managedFields.
bool same_but_for_times(const Object& some, const Object& other);

/// A write through one version of an API.
struct FieldWriter {
  ValueType type;
  std::string manager;
  std::string api_version;
  std::string subresource;
  Object time;          ///< null: none is recorded
  FieldSet reset = {};  ///< fields that the strategy does not let this write change
};

/// Which fields differ, without those that nobody owns or this write cannot change.
FieldChanges change_by(const FieldWriter& writer, Object before, Object after);

/// Removes the fields that nobody owns: the identity of an object, and what only servers set.
void strip_unowned(FieldSet& fields);

/// Whether those who update fields are recorded, or only those who apply them.
enum class Tracked { appliers, all };

/// Records in the managedFields of `after` an update of `before`, which is an empty object if `after` is new
/// (apimachinery's pkg/util/managedfields).
void record_update(const FieldWriter& writer, Tracked tracked, const Object& before, Object& after);

/// Before the first apply to an object that has no managers: one that owns all there is.
void record_before_first_apply(const FieldWriter& writer, const Object& live, FieldManagers& managers);

}  // namespace nodebound::apiserver
