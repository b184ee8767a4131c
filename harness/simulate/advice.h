#pragma once

#include <string>
#include <string_view>

#include "reports/simulation.h"

namespace nodebound {

/// What advice.toml says to do where a rule refuses what is meant to be, or of another cause of a loss; empty where it
/// says nothing.
std::string advice_for(std::string_view rule);
/// Likewise, by its status where no rule is behind it.
std::string advice_for(const Simulation::Finding& finding);

}  // namespace nodebound
