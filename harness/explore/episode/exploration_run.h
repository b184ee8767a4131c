#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/explore/episode/cause.h"
#include "harness/explore/episode/coverage.h"
#include "harness/explore/episode/episode_source.h"
#include "harness/explore/episode/explored_side.h"
#include "harness/explore/episode/shrink.h"

namespace nodebound::explore {

struct ExploreOptions {
  std::uint64_t seed = 1;
  std::size_t requests = 10000;
  std::size_t jobs = 1;
  std::optional<std::size_t> only;  ///< only this episode
  std::size_t most_shrunk = 40;     ///< how many sorts of differences are reduced; others are reported as found
  std::size_t most_explained = 40;  ///< for how many of them every rule is tried as the cause
  std::size_t attempts = 300;       ///< for each of them
  std::function<void(std::size_t requests)> asked = [](std::size_t) {};
};

/// Requests that two sides answer differently in the same way.
struct DifferenceFound {
  EpisodeDifference difference;
  std::size_t count = 0;
  bool steady = true;           ///< the difference could be reproduced
  bool small = false;           ///< the episode was reduced
  std::vector<Heard> by_rules;  ///< the answers of the reference of B's release to each step
  DifferenceCause cause;
};

struct ExplorationOutcome {
  std::size_t requests = 0;
  std::size_t episodes = 0;
  std::size_t reworded = 0;  ///< requests that differ only in the message
  Coverage coverage;
  std::vector<DifferenceFound> differences;
};

/// Errors of the clean-up of each side.
struct LeftBehind {
  std::vector<Error> on_a;
  std::vector<Error> on_b;
};

/// Runs episodes on both sides until this many requests were compared. Chooses episodes, one generation at a time, by
/// which rules of B's release decide them: so the same seed gives the same episodes, whatever the number of jobs.
/// `guide` answers by these rules in process, and may be side A itself. Both sides are always cleaned up; what could
/// not be removed is added to `left`.
Result<ExplorationOutcome> explore(const ExploredSide& a, const ExploredSide& b, const ExploredSide& guide,
                                   const EpisodeSource& source, const ExploreOptions& options, LeftBehind& left);

}  // namespace nodebound::explore
