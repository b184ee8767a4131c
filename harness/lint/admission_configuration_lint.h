#pragma once

#include <string>
#include <string_view>

#include "harness/lint/remark.h"
#include "reference/release/release.h"

namespace nodebound::lint {

/// What the release makes of an AdmissionConfiguration, or of a file of the plugin PodNodeSelector alone
/// (--admission-control-config-file).
Remarks lint_admission_configuration(std::string_view text, const std::string& file, const Release& release);

}  // namespace nodebound::lint
