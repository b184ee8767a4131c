#pragma once

#include <filesystem>
#include <string_view>

#include "reference/result.h"

namespace nodebound {

/// Writes all of `content` to `path` or leaves what was there: whoever reads the file never sees half of it.
/// Makes the folders it needs.
Result<void> write_file(const std::filesystem::path& path, std::string_view content);

}  // namespace nodebound
