#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "reference/result.h"

namespace nodebound {

/// SHA-256 in hexadecimal.
std::string sha256_hex(std::string_view bytes);

/// The same of a regular file of any size, read block by block.
Result<std::string> sha256_of_file(const std::filesystem::path& file);

}  // namespace nodebound
