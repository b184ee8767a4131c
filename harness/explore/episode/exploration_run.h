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

namespace nodebound {

struct ExploreOptions {
  std::uint64_t seed = 1;
  std::size_t requests = 10000;
  std::size_t jobs = 1;
  std::optional<std::size_t> only;  ///< this episode and no other
  std::size_t most_shrunk = 40;     ///< sorts of differences that are made small; the others are told as found
  std::size_t attempts = 300;       ///< for each of them
  std::function<void(std::size_t requests)> asked = [](std::size_t) {};
};

/// Requests that two sides answer differently in the same way.
struct DifferenceFound {
  EpisodeDifference difference;
  std::size_t count = 0;
  bool steady = true;           ///< or else it could not be found again
  bool small = false;           ///< whether it was made small
  std::vector<Heard> by_rules;  ///< what the reference of B's release says to each step
  DifferenceCause cause;
};

struct ExplorationOutcome {
  std::size_t requests = 0;
  std::size_t episodes = 0;
  std::size_t reworded = 0;  ///< requests that differ in nothing but the message
  Coverage coverage;
  std::vector<DifferenceFound> differences;
};

/// What could not be removed from each side.
struct LeftBehind {
  std::vector<Error> on_a;
  std::vector<Error> on_b;
};

/// Runs episodes on both sides until so many requests were compared. Episodes are chosen by what the rules of B's
/// release say to them, a generation at a time; so the same seed gives the same episodes, whatever the jobs. `guide`
/// answers by these rules in process; it may be the side A itself. Both sides are cleaned up however it ends; what
/// could not be removed is added to `left`.
Result<ExplorationOutcome> explore(const ExploredSide& a, const ExploredSide& b, const ExploredSide& guide,
                                   const EpisodeSource& source, const ExploreOptions& options, LeftBehind& left);

}  // namespace nodebound
