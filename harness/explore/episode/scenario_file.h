#pragma once

#include <string>

#include "harness/explore/episode/shrink.h"
#include "reference/release/catalogue.h"
#include "reference/result.h"

namespace nodebound {

/// The difference as a scenario file that expects what A said; `by_rules` is what the reference says to each step. Not
/// every difference can be said in scenarios, which know allowed and refused only.
Result<std::string> scenario_of(const EpisodeDifference& difference, const std::vector<Heard>& by_rules,
                                const std::string& about, const Catalogue& catalogue);

/// A JSON value as TOML; what is null is left out.
std::string to_toml(const Object& value);

}  // namespace nodebound
