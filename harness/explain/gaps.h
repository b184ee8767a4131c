#pragma once

#include <string>
#include <vector>

#include "harness/explain/explanation.h"

namespace nodebound::explain {

/// What the answer depends on and the given objects lack; the cluster may or may not have it.
std::vector<Gap> gaps_in(const Question& question, const ReferenceAnswer& answer, const std::optional<Tie>& tie);

}  // namespace nodebound::explain
