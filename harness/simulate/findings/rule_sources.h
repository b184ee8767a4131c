#pragma once

#include <string>
#include <vector>

#include "reference/release/catalogue.h"
#include "reports/simulation/simulation.h"

namespace nodebound::simulate {

/// The sources of a rule with their links: a KEP, a CVE, an issue, a file of Kubernetes in `version`.
std::vector<Simulation::Finding::Source> sources_of(const RuleEntry& rule, const std::string& version);

}  // namespace nodebound::simulate
