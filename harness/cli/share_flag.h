#pragma once

#include <string>

#include "reports/share.h"

namespace nodebound::cli {

/// What --shard says, `i/n`, or in a pod of an Indexed Job `job/n`; without it, all. `of` is what is shared out.
Result<Share> read_share(const std::string& given, const std::string& of);

}  // namespace nodebound::cli
