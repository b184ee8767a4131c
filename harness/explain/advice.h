#pragma once

#include <string>
#include <vector>

#include "harness/explain/explanation.h"

namespace nodebound::explain {

/// Simple advice about a refusal: another form of the request that was tried and is allowed, with the first release
/// that allows it, or the missing grant.
std::vector<std::string> advice_for(const Catalogue& catalogue, const GateSettings& set, const Question& question,
                                    const Explanation& explanation);

}  // namespace nodebound::explain
