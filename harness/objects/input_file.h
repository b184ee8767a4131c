#pragma once

#include <string>

#include "reference/result.h"

namespace nodebound {

/// The bytes of a file; `-` is standard input. More than fits into memory many times over is refused.
Result<std::string> read_input(const std::string& file);

}  // namespace nodebound
