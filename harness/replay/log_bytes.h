#pragma once

#include <string>

#include "harness/objects/document.h"

namespace nodebound::replay {

/// The text of a log whose bytes are plain, gzip or zstd, as their beginning says. If compressed bytes are broken or
/// cut off, the text ends there and `broken` says why. `broken` must outlive the source.
TextSource decompressed(TextSource bytes, std::string& broken);

}  // namespace nodebound::replay
