#pragma once

#include <string>

#include "reference/release/catalogue.h"
#include "reports/run/report.h"

namespace nodebound::failures {

/// What a page says of a failure besides what the report does.
struct FailureContext {
  std::size_t of_kind = 1;      ///< how many checks fail alike
  std::string replay;           ///< the command that asks its scenario again
  std::string smallest;         ///< the smallest scenario that shows it; empty if none was made
  std::string smallest_replay;  ///< the command that asks it
};

/// All about a failed check, in Markdown: the rule with its source, what was sent, by hand, too, what came back, and
/// how to see it again.
std::string failure_page(const CheckResult& check, const Report& report, const Catalogue& catalogue,
                         const FailureContext& context);

}  // namespace nodebound::failures
