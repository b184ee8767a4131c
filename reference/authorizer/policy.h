#pragma once

#include "reference/authorizer/attributes.h"
#include "reference/release/rule_set.h"

namespace nodebound {

/// Whether a rule of a role covers the request (pkg/apis/rbac/v1/evaluation_helpers.go). Comparisons whose catalogue
/// rule is not in force are skipped.
bool covers(const RuleSet& rules, const PolicyRule& rule, const Attributes& attributes);

/// The same with all catalogue rules in force.
bool covers(const PolicyRule& rule, const Attributes& attributes);

}  // namespace nodebound
