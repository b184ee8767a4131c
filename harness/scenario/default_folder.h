#pragma once

#include <filesystem>
#include <string>

namespace nodebound {

/// Where the scenarios of a program are: `../share/nodebound/scenarios` beside its folder, as it is installed, or the
/// `scenarios` of the nearest folder above it, as it is built. The search ends at a folder that strangers share, as
/// /tmp: what lies there is not ours. Empty, if there are none.
std::filesystem::path scenarios_of(const std::filesystem::path& program);

/// Those of this program; `scenarios`, if it has none.
std::string default_scenarios();

}  // namespace nodebound
