#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reference/cluster/object.h"

namespace nodebound {

/// The key by which a strategic merge patch identifies the items of the list in that field; empty if the list is
/// replaced as a whole.
std::string_view merge_key_of(std::string_view field, const Object& items);

/// A key of the items of a list, and its value if an item does not have it.
struct ListKey {
  std::string name;
  Object otherwise;
};

/// The keys by which a server-side apply identifies the items, sorted by name; none if the list is replaced as a whole,
/// or is a set of plain values (`is_value_set`).
std::vector<ListKey> list_keys_of(std::string_view field, const Object& items);

/// Whether the list is a set of plain values, so that an apply unites them.
bool is_value_set(std::string_view field);

}  // namespace nodebound
