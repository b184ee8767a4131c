#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "reference/result.h"

namespace nodebound::certify {

/// Whether `text` is a SHA-256 in lower-case hexadecimal.
bool is_sha256_hex(std::string_view text);

/// The SHA-256, in hexadecimal, of a regular file of any size, read block by block.
Result<std::string> sha256_of_file(const std::filesystem::path& file);

}  // namespace nodebound::certify
