#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace nodebound::cel {

struct Type;
using TypePtr = std::shared_ptr<const Type>;

/// A type of the language, as the checker infers it.
struct Type {
  enum class Kind {
    dyn,
    error,
    null,
    boolean,
    integer,
    unsigned_integer,
    floating,
    string,
    bytes,
    timestamp,
    duration,
    list,
    map,
    type,
    object,     ///< has declared fields
    opaque,     ///< has none, but may have parameters: `optional_type(int)`
    parameter,  ///< stands for a type: of an overload, or one that is yet to be inferred
  };

  Kind kind = Kind::dyn;
  std::string name;
  std::vector<TypePtr> parameters;

  [[nodiscard]] bool is(Kind other) const { return kind == other; }
  [[nodiscard]] bool is_optional() const { return kind == Kind::opaque && name == "optional_type"; }
};

TypePtr make_type(Type::Kind kind);
TypePtr list_of(TypePtr element);
TypePtr map_of(TypePtr key, TypePtr value);
TypePtr optional_of(TypePtr value);
TypePtr type_of(TypePtr named);
TypePtr object_type(std::string name);
TypePtr type_parameter(std::string name);

/// Reads `map(string, list(<A>))`. Throws std::logic_error if the text is no type: the texts are the project's own.
TypePtr parse_type(std::string_view text);

/// As cel-go's checker writes a type in its errors: `map(string, list(int))`, `duration`, `null`.
std::string format(const Type& type);
/// As a type prints itself: `google.protobuf.Duration`, `null_type`.
std::string to_string(const Type& type);

/// Whether both are the same type. Without `names` any type parameter equals any other.
bool same(const Type& a, const Type& b, bool names = true);

}  // namespace nodebound::cel
