#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/explore/chance.h"
#include "harness/scenario/scenario.h"

namespace nodebound {

/// A small world of its own and what is asked in it, in the words of scenarios: so a scenario can be mutated into one,
/// and one can be written down as a scenario. Its checks expect nothing; each is asked in one way.
///
/// Every step is one action of the administrator or one check. Names are short; where an episode runs they become names
/// that nothing else has, so episodes run side by side on one server and leave nothing to each other.
struct Episode {
  std::uint64_t seed = 0;
  std::size_t number = 0;
  Scenario scenario;
};

/// How many of its steps are requests whose answers are compared.
std::size_t requests_of(const Episode& episode);

/// Whether others see what it makes: names that it has not for itself, rights of groups that others are in, too.
bool shows_to_others(const Episode& episode);

/// A step that does something, or asks something, and nothing else.
Step step_of(Action action);
Step step_of(Check check);

/// What a scenario says of a release, step by step; where a check has several ways, one that is drawn.
Episode episode_of(const Scenario& scenario, const Version& version, Chance& chance);

/// Whether the check changes what is stored.
bool persists(const Check& check);

/// What a step does or asks, in a line.
std::string to_text(const Step& step);

}  // namespace nodebound
