#pragma once

#include <string>
#include <string_view>

#include "harness/lint/remark.h"
#include "reference/release/rule_set.h"

namespace nodebound::lint {

/// What --authorization-policy-file lets a node, or anybody, do: each line by itself.
Remarks lint_abac_policies(std::string_view text, const std::string& file, const RuleSet& rules);

}  // namespace nodebound::lint
