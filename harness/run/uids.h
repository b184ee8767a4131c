#pragma once

#include <string>
#include <string_view>

namespace nodebound {

/// Replaces every UID by `instead`, because no two servers or runs have UIDs in common.
std::string without_uids(std::string text, std::string_view instead);

}  // namespace nodebound
