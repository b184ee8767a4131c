#pragma once

#include <string>

#include "reports/run/report.h"

namespace nodebound {

/// The id of the check's scenario: `labels/restricted[beta]` of `labels/restricted[beta]/put[merge]@admission`.
std::string scenario_of_check(const std::string& id);

/// A shell command that asks the target the check's scenario again. Text of others in it is quoted.
std::string command_to_repeat(const Report& report, const CheckResult& check);

}  // namespace nodebound
