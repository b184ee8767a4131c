#pragma once

#include <filesystem>
#include <string_view>

#include "reference/result.h"

namespace nodebound {

/// Writes all of `content` to `path` or keeps the old file: a reader never sees a partial file. Creates missing
/// folders.
Result<void> write_file(const std::filesystem::path& path, std::string_view content);

}  // namespace nodebound
