#pragma once

#include "reference/release/rule_set.h"
#include "reports/comparison.h"

namespace nodebound {

/// Adds the rules that are in force on one side only, or refuse in other words, and names for each request that
/// changed the rule that decides: the first of its check that is in force on one side only.
void add_rule_changes(Comparison& comparison, const RuleSet& a, const RuleSet& b);

}  // namespace nodebound
