#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/explore/chance.h"
#include "harness/scenario/scenario.h"

namespace nodebound::explore {

/// A small world of its own and questions about it, in the words of scenarios: so a scenario can be mutated into an
/// episode, and an episode can be written as a scenario. Its checks expect nothing, and each is asked in one way.
///
/// Each step is one action of the administrator or one check. Names are short; when an episode runs, they become unique
/// names, so that episodes can run side by side on one server without affecting each other.
struct Episode {
  std::uint64_t seed = 0;
  std::size_t number = 0;
  Scenario scenario;
};

/// The number of steps whose answers are compared.
std::size_t requests_of(const Episode& episode);

/// Whether other episodes see what it makes: shared names, or rights of groups with other members.
bool shows_to_others(const Episode& episode);

/// A step with this one action or question, and nothing else.
Step step_of(Action action);
Step step_of(Check check);

/// The steps of a scenario that hold at a release. If a check has several ways, one is drawn.
Episode episode_of(const Scenario& scenario, const Version& version, Chance& chance);

/// The same with every check asked by SubjectAccessReview, for targets that answer no requests. What the administrator
/// asks stays a request, because it makes the world.
Episode as_reviews(Episode episode);

/// Whether the check changes stored objects.
bool persists(const Check& check);

/// The action or question of a step, in one line.
std::string to_text(const Step& step);

}  // namespace nodebound::explore
