#pragma once

#include <string>
#include <vector>

#include "reports/findings/finding.h"

namespace nodebound {

/// The findings as SARIF 2.1.0, for code scanning. Those that somebody accepts are suppressed. The same findings give
/// the same bytes.
std::string to_sarif(const std::vector<Finding>& findings, const std::string& tool_version);

}  // namespace nodebound
