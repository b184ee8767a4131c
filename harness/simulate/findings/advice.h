#pragma once

#include <string>
#include <string_view>

#include "reports/simulation/simulation.h"

namespace nodebound::simulate {

/// The advice in advice.toml for a legitimate request that a rule refuses, or for another cause of a loss; empty if
/// there is none.
std::string advice_for(std::string_view rule);
/// The same by HTTP status, for refusals without a rule.
std::string advice_for(const Simulation::Finding& finding);

}  // namespace nodebound::simulate
