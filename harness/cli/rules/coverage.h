#pragma once

#include <string>
#include <vector>

#include "harness/scenario/scenario.h"
#include "reference/release/rule_set.h"

namespace nodebound::cli {

/// A rule, with the number of checks for what it permits and for what it refuses.
struct RuleCoverage {
  Rule rule;
  std::size_t permits = 0;
  std::size_t refuses = 0;
};

/// Coverage of every rule that is in force and that a request can meet.
std::vector<RuleCoverage> coverage_of(const std::vector<Scenario>& scenarios, const RuleSet& rules);

}  // namespace nodebound::cli
