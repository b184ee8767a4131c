#pragma once

#include <string>
#include <string_view>

#include "harness/lint/remark.h"
#include "reference/release/release.h"

namespace nodebound::lint {

/// What the release makes of a ValidatingAdmissionPolicy or ValidatingAdmissionPolicyBinding.
Remarks lint_admission_policy(std::string_view text, const std::string& file, const Release& release);

}  // namespace nodebound::lint
