#pragma once

#include "reference/cluster/object.h"

namespace nodebound::apiserver {

/// Calls `visit` for each item of a list in an object, so that it can change it; does nothing without the list.
template <typename Visit>
void each_item(Object& object, const char* list, const Visit& visit) {
  if (!member(object, list).is_array()) return;
  for (Object& item : object[list]) {
    if (item.is_object()) visit(item);
  }
}

}  // namespace nodebound::apiserver
