#pragma once

#include <string>
#include <vector>

#include "reports/rule_note.h"
#include "reports/run/report.h"

namespace nodebound {

/// What did not pass, for a code scanning service, at the steps of the scenarios: a failure is an error, what could not
/// be told a warning, and a known deviation a note that is suppressed.
std::string to_sarif(const Report& report, const std::vector<RuleNote>& rules);

}  // namespace nodebound
