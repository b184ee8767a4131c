#pragma once

#include <string>

#include "harness/explain/explanation.h"
#include "reports/terminal.h"

namespace nodebound::explain {

/// An explanation for a person. `cluster` says where the objects come from; empty if there are none.
std::string to_text(const Explanation& explanation, const Question& question, const std::string& cluster,
                    const TerminalStyle& style);

}  // namespace nodebound::explain
