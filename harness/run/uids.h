#pragma once

#include <string>
#include <string_view>

namespace nodebound {

/// The text with `instead` for every UID: no two servers, nor two runs, have one in common.
std::string without_uids(std::string text, std::string_view instead);

}  // namespace nodebound
