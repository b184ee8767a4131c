#pragma once

#include <string>
#include <vector>

#include "reference/release/catalogue.h"
#include "reports/simulation.h"

namespace nodebound {

/// Where a rule is written, each with its page: a KEP, a CVE, an issue, a file of Kubernetes as `version` has it.
std::vector<Simulation::Finding::Source> sources_of(const RuleEntry& rule, const std::string& version);

}  // namespace nodebound
