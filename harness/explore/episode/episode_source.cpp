#include "harness/explore/episode/episode_source.h"

#include "harness/explore/episode/mutation.h"
#include "harness/explore/episode/topics.h"

namespace nodebound::explore {
namespace {

constexpr std::size_t most_steps = 90;
/// A scenario with hundreds of pods has a purpose that mutants would lose.
constexpr std::size_t most_of_scenario = 70;

std::size_t steps_in(const Scenario& scenario) {
  std::size_t out = scenario.nodes.size() + scenario.given.size();
  for (const Step& step : scenario.steps) out += step.actions.size() + (step.check ? 1 : 0);
  return out;
}

std::vector<const Topic*> weighted_topics() {
  std::vector<const Topic*> out;
  for (const Topic& topic : topics()) out.insert(out.end(), topic.weight, &topic);
  return out;
}

}  // namespace

EpisodeSource::EpisodeSource(std::uint64_t seed, const Fixtures& fixtures, const std::vector<Scenario>& scenarios,
                             const Version& version)
    : seed_(seed), fixtures_(fixtures), version_(version) {
  for (const Scenario& scenario : scenarios) {
    if (scenario.holds.contains(version) && steps_in(scenario) <= most_of_scenario) scenarios_.push_back(&scenario);
  }
}

Episode EpisodeSource::drawn(Chance& chance) const {
  static const std::vector<const Topic*> all = weighted_topics();
  Draft draft(chance, fixtures_);
  for (std::size_t count = 1 + chance.below(2); count > 0; --count) chance.pick(all)->draw(draft);
  return draft.finish();
}

Episode EpisodeSource::from_scenario(Chance& chance) const {
  return scenarios_.empty() ? drawn(chance) : episode_of(*chance.pick(scenarios_), version_, chance);
}

std::vector<Episode> EpisodeSource::candidates(std::size_t number, const Coverage& coverage,
                                               const Corpus& corpus) const {
  Chance chance(seed_ * 0x9e3779b97f4a7c15U + number);
  const auto kept = [&] { return corpus.empty() ? from_scenario(chance) : corpus.pick(coverage, chance); };
  std::vector<Episode> out;
  out.push_back(drawn(chance));
  const Episode one = from_scenario(chance);
  const Episode another = from_scenario(chance);
  out.push_back(mutated(one, another, chance));
  const Episode first = kept();
  const Episode second = kept();
  out.push_back(mutated(first, second, chance));
  for (Episode& episode : out) {
    episode.seed = seed_;
    episode.number = number;
    make_presentable(episode, most_steps);
  }
  return out;
}

}  // namespace nodebound::explore
