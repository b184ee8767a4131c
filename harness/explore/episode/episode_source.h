#pragma once

#include <vector>

#include "harness/explore/episode/coverage.h"
#include "harness/explore/episode/episode.h"
#include "harness/scenario/fixtures.h"

namespace nodebound {

/// Draws episodes: the same seed, number and coverage draw the same ones.
class EpisodeSource {
 public:
  /// `scenarios` are what mutants start from; those that hold in other releases are left out. All must outlive it.
  EpisodeSource(std::uint64_t seed, const Fixtures& fixtures, const std::vector<Scenario>& scenarios,
                const Version& version);

  /// What episode `number` may be: some drawn from nothing, some mutants of scenarios and of what fired seldom.
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

}  // namespace nodebound
