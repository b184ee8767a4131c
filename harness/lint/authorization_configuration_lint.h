#pragma once

#include <string>
#include <string_view>

#include "harness/lint/remark.h"
#include "reference/release/release.h"

namespace nodebound::lint {

/// What the release makes of --authorization-config.
Remarks lint_authorization_configuration(std::string_view text, const std::string& file, const Release& release);

}  // namespace nodebound::lint
