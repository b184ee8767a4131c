#pragma once

#include <vector>

#include "harness/explore/episode/coverage.h"
#include "harness/explore/episode/episode.h"
#include "harness/scenario/fixtures.h"

namespace nodebound::explore {

/// Draws episodes. The same seed, number and coverage draw the same episodes.
class EpisodeSource {
 public:
  /// `scenarios` are the material for mutants; those that do not hold at the release are left out. Everything passed in
  /// must outlive it.
  EpisodeSource(std::uint64_t seed, const Fixtures& fixtures, const std::vector<Scenario>& scenarios,
                const Version& version);

  /// The candidates for episode `number`: some new, some mutants of scenarios and of episodes with rare decisions.
  [[nodiscard]] std::vector<Episode> candidates(std::size_t number, const Coverage& coverage,
                                                const Corpus& corpus) const;

 private:
  [[nodiscard]] Episode drawn(Chance& chance) const;
  [[nodiscard]] Episode from_scenario(Chance& chance) const;

  std::uint64_t seed_;
  const Fixtures& fixtures_;
  Version version_;
  std::vector<const Scenario*> scenarios_;
};

}  // namespace nodebound::explore
