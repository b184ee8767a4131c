#pragma once

#include <string>

#include "reports/run/report.h"

namespace nodebound {

/// For a pull request or the summary of a job: the verdict first, then what failed, with a command that repeats it.
/// Bounded, as both refuse what is long; `report.json` has the rest.
std::string to_markdown(const Report& report);

}  // namespace nodebound
