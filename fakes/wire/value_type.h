#pragma once

#include <google/protobuf/descriptor.h>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fakes/wire/media_type.h"
#include "reference/cluster/object.h"

namespace nodebound {

/// A key of the items of a list, and its value if an item does not have it; null: there is none.
struct ListKey {
  std::string name;
  Object otherwise;
};

/// How a server-side apply merges the values of a field, as the table field_merging.txt says.
struct Merging {
  enum class By { whole, parts, keys, values };
  By by = By::whole;
  std::vector<ListKey> keys = {};  ///< of the items of a list, sorted by name
};

/// The type of a value in an API object, as structured-merge-diff knows it from the schema. A value whose type is not
/// known has the type that it looks like: objects merge part by part, all else is replaced as a whole.
class ValueType {
 public:
  /// The type of a kind's objects. Of a kind without a message, only the metadata is known.
  static ValueType of_kind(const GroupVersionKind& kind, const Release* release = nullptr);

  /// The type of a member of an object or map.
  [[nodiscard]] ValueType member(const std::string& name) const;
  /// The type of the items of a list.
  [[nodiscard]] ValueType item() const;
  /// Whether the type is a struct that has that field, and not a map with any keys.
  [[nodiscard]] bool declares(const std::string& name) const;

  [[nodiscard]] Merging::By merging(const Object* value) const;
  [[nodiscard]] const std::vector<ListKey>& keys() const;

  /// Adds the fields that Go's encoding of the object has even if nobody has set them: a struct that is not behind a
  /// pointer, and what has no `omitempty`.
  void complete(Object& object) const;

 private:
  enum class Shape { unknown, kind, scalar, message, map, list };

  static ValueType of_field(const google::protobuf::FieldDescriptor& field);
  static ValueType of_value(const google::protobuf::FieldDescriptor& field);

  Shape shape_ = Shape::unknown;
  const google::protobuf::Descriptor* message_ = nullptr;
  const google::protobuf::FieldDescriptor* field_ = nullptr;  ///< of a map or list
  const Merging* merging_ = nullptr;                          ///< null: as for any value of its shape
};

/// How a list or map merges; null if the table says nothing about it.
const Merging* merging_of(const google::protobuf::FieldDescriptor& field);

}  // namespace nodebound
