#pragma once

#include <string>
#include <vector>

#include "harness/explain/explanation.h"

namespace nodebound {

/// What to do about a refusal, the obvious: another form of the request that was tried and is allowed, with the first
/// release from which it is, or the grant that is missing.
std::vector<std::string> advice_for(const Catalogue& catalogue, const GateSettings& set, const Question& question,
                                    const Explanation& explanation);

}  // namespace nodebound
