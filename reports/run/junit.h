#pragma once

#include <string>

#include "reports/run/report.h"

namespace nodebound {

/// JUnit XML for CI systems: a suite for each scenario, a test case for each check.
/// The format has no word for a deviation, so one is a test case that passes and says so in `system-out`;
/// an inconclusive check is an `error`.
std::string to_junit(const Report& report);

}  // namespace nodebound
