#pragma once

#include <string_view>
#include <vector>

#include "harness/explore/chance.h"
#include "reference/cluster/object.h"

namespace nodebound {

/// A kind of which objects are drawn to be written.
struct DrawnKind {
  std::string_view group;
  std::string_view resource;
  std::size_t weight;  ///< how often it is drawn, beside the others
  /// Everything but apiVersion, kind, name and namespace. `node` is the one that asks, or any where none does.
  Object (*draw)(Chance& chance, const std::string& node);
};

/// All of them.
const std::vector<DrawnKind>& drawn_kinds();

/// Of every kind: labels, annotations, owners, finalizers.
void draw_metadata(Chance& chance, const std::string& node, Object& object);

/// Changes something so that few servers would take the object.
void spoil(Chance& chance, Object& object);

}  // namespace nodebound
