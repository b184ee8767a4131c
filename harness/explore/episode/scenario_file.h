#pragma once

#include <string>

#include "harness/explore/episode/shrink.h"
#include "reference/release/catalogue.h"
#include "reference/result.h"

namespace nodebound::explore {

/// The title of a scenario file, and what it is about. Without a title, it was found by exploring.
struct ScenarioText {
  std::string title = {};
  std::string about;
};

/// The difference as a scenario file that expects A's answer. `by_rules` are the reference's answers to each step.
/// Scenarios know only allowed and refused, so they cannot express every difference.
Result<std::string> scenario_of(const EpisodeDifference& difference, const std::vector<Heard>& by_rules,
                                const ScenarioText& text, const Catalogue& catalogue);

}  // namespace nodebound::explore
