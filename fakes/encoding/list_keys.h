#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reference/cluster/object.h"

namespace nodebound {

/// The key that a strategic merge patch tells the items of a list apart by, by the name of the list's field; empty if
/// the list is replaced whole.
std::string_view merge_key_of(std::string_view field, const Object& items);

/// A key of the items of a list, and what an item has that does not say it.
struct ListKey {
  std::string name;
  Object otherwise;
};

/// The keys that a server-side apply tells them apart by, in the order of their names; none if the list is replaced
/// whole. Sets of plain values (`is_value_set`) have none either.
std::vector<ListKey> list_keys_of(std::string_view field, const Object& items);

/// Whether the values of a list are united.
bool is_value_set(std::string_view field);

}  // namespace nodebound
