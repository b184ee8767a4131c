#pragma once

#include <string_view>
#include <vector>

#include "harness/explore/chance.h"
#include "reference/cluster/object.h"

namespace nodebound::explore {

/// A kind whose objects are drawn for writes.
struct DrawnKind {
  std::string_view group;
  std::string_view resource;
  std::size_t weight;  ///< how often it is drawn, beside the others
  /// Everything except apiVersion, kind, name and namespace. `node` is the asking node, or any node if the caller is
  /// none.
  Object (*draw)(Chance& chance, const std::string& node);
};

/// All kinds.
const std::vector<DrawnKind>& drawn_kinds();

/// Metadata that every kind has: labels, annotations, owners, finalizers.
void draw_metadata(Chance& chance, const std::string& node, Object& object);

/// A field that no kind has, or one of another type.
void add_unknown_field(Chance& chance, Object& object);

/// Changes the object in a way that most servers refuse.
void spoil(Chance& chance, Object& object);

}  // namespace nodebound::explore
