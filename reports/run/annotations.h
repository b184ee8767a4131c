#pragma once

#include <string>

#include "reports/run/report.h"

namespace nodebound {

/// Workflow commands by which GitHub Actions shows the rules that failed beside a change: one line each, the rules with
/// the most failures first, as many as GitHub shows of one step. Empty if nothing failed.
std::string to_github_annotations(const Report& report);

}  // namespace nodebound
