#pragma once

#include <string>

#include "harness/certify/statement.h"
#include "reports/run/report.h"

namespace nodebound::certify {

/// A certificate for people. Nothing in it acts on a terminal or browser, whatever the target answered.
std::string certificate_markdown(const StatementFacts& facts, const Report& report);
std::string certificate_html(const StatementFacts& facts, const Report& report);

}  // namespace nodebound::certify
