#pragma once

#include <string>
#include <vector>

#include "reports/rule_note.h"
#include "reports/run/report.h"

namespace nodebound {

/// One page that needs nothing beside it: the verdict first, then what did not pass with its evidence and a command
/// that repeats it, the rules by verdict, and every check. Its only script filters, and may do nothing else; without
/// it, all is shown.
std::string to_html(const Report& report, const std::vector<RuleNote>& rules);

}  // namespace nodebound
