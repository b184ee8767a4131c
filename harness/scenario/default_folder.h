#pragma once

#include <filesystem>
#include <string>

namespace nodebound {

/// The folder of a program's scenarios: `../share/nodebound/scenarios` beside an installed program, or `scenarios` in
/// the nearest folder above a built one. The search stops at a folder that other users can write, such as /tmp: its
/// content is not ours. Empty if none is found.
std::filesystem::path scenarios_of(const std::filesystem::path& program);

/// The folder for this program; empty if none is found.
std::string default_scenarios();

}  // namespace nodebound
