#pragma once

#include <string>

#include "harness/explain/explanation.h"
#include "reports/terminal.h"

namespace nodebound {

/// An explanation for a person. `cluster` says where its objects come from; empty where there are none.
std::string to_text(const Explanation& explanation, const Question& question, const std::string& cluster,
                    const TerminalStyle& style);

}  // namespace nodebound
