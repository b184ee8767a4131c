#pragma once

#include "reference/release/rule_set.h"
#include "reports/comparison/comparison.h"

namespace nodebound::cli {

/// Adds the rules that are in force on one side only or word their refusal differently. For each request with a changed
/// answer, names the rule that decides: the first rule of its check that is in force on one side only.
void add_rule_changes(Comparison& comparison, const RuleSet& a, const RuleSet& b);

}  // namespace nodebound::cli
