#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "reference/result.h"

namespace nodebound::data {

/// The packed scenarios; the build makes them.
std::string_view packed_scenarios();

}  // namespace nodebound::data

namespace nodebound::built_in {

/// The content of each file by its path below a folder.
using PackedFiles = std::map<std::string, std::string>;

/// The files that `pack_folder` packed.
PackedFiles unpacked_files(std::string_view packed);

/// The scenarios that were packed into this program when it was built.
PackedFiles built_in_scenarios();

/// Makes a folder hold these files. A file that is there with the same content is left alone; one with another content
/// is replaced at once, so whoever reads meanwhile sees the old or the new one.
Result<void> write_files(const PackedFiles& files, const std::filesystem::path& folder);

/// A folder with the scenarios of this program, for those that read folders: in the user's cache
/// (`$XDG_CACHE_HOME/nodebound`, or `~/.cache/nodebound`), or where nothing can be written there, in a temporary folder
/// that is removed when the program ends. `environment` gives a variable's value, empty if it is not set.
Result<std::filesystem::path> folder_of_built_in_scenarios(const std::function<std::string(const char*)>& environment);

}  // namespace nodebound::built_in
