#pragma once

#include <string_view>

#include "reference/cluster/object.h"

namespace nodebound {

/// The key by which a strategic merge patch identifies the items of the list in that field; empty if the list is
/// replaced as a whole.
std::string_view merge_key_of(std::string_view field, const Object& items);

}  // namespace nodebound
