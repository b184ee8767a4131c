#pragma once

#include <string>

#include "harness/explore/episode/shrink.h"
#include "reference/release/catalogue.h"
#include "reference/result.h"

namespace nodebound {

/// The difference as a scenario file that expects A's answer. `by_rules` are the reference's answers to each step.
/// Scenarios know only allowed and refused, so they cannot express every difference.
Result<std::string> scenario_of(const EpisodeDifference& difference, const std::vector<Heard>& by_rules,
                                const std::string& about, const Catalogue& catalogue);

/// A JSON value as TOML, without null values.
std::string to_toml(const Object& value);

}  // namespace nodebound
