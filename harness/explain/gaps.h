#pragma once

#include <string>
#include <vector>

#include "harness/explain/explanation.h"

namespace nodebound {

/// What the answer depends on and the objects that were given do not have: which may be so in the cluster, or not.
std::vector<Gap> gaps_in(const Question& question, const ReferenceAnswer& answer, const std::optional<Tie>& tie);

}  // namespace nodebound
