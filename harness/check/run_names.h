#pragma once

#include <string>
#include <string_view>

namespace nodebound {

/// Replaces every UID by `instead`, because no two servers or runs have UIDs in common.
std::string without_uids(std::string text, std::string_view instead);

/// Replaces names, UIDs and keys that differ from run to run on a shared cluster: reports should not.
std::string without_run_names(std::string text, const std::string& run_id);

}  // namespace nodebound
