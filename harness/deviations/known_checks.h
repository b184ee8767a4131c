#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/scenario/scenario.h"
#include "reference/release/rule_set.h"

namespace nodebound::deviations {

/// The ids of all checks there are. Called only for an entry that matches no check of a run.
using KnownChecks = std::function<std::vector<std::string>()>;

/// The ids of the scenarios' checks at the rules of a run, and at each minor release.
std::vector<std::string> ids_of_checks(const std::vector<Scenario>& scenarios, const RuleSet& rules);

}  // namespace nodebound::deviations
