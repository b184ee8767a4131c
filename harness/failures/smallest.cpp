#include "harness/failures/smallest.h"

#include <algorithm>
#include <memory>

#include "harness/check/probe.h"
#include "harness/endpoint/reference_endpoint.h"
#include "harness/endpoint/signals.h"
#include "harness/explore/episode/scenario_file.h"
#include "harness/explore/episode/shrink.h"
#include "harness/run/runner.h"
#include "harness/scenario/by_release.h"

namespace nodebound::failures {
namespace {

// What a run puts in front of names. No two attempts share it, so that nothing of one is left for the next.
std::string attempt_id(std::uint64_t seed, std::size_t attempt) {
  static constexpr std::string_view letters = "bcdfghjklmnpqrstvwxz";
  std::string out = "s";
  std::uint64_t rest = seed * 1'000'003 + attempt;
  for (int i = 0; i < 7; ++i, rest /= letters.size()) out += letters[rest % letters.size()];
  return out;
}

/// Asks episodes for one check.
class Asker {
 public:
  Asker(const CheckResult& failed, const ShrinkSetting& setting)
      : failed_(failed), setting_(setting), reference_(make_reference_endpoint(setting.rules, {})) {}

  /// Whether the episode still shows the failure, and is a case of its rule.
  bool shows(const explore::Episode& episode) {
    if (interrupted()) return false;
    ++attempts_;
    const auto due = asked(*reference_, episode.scenario);
    if (!due || due->verdict != Verdict::pass) return false;
    const auto found = asked(setting_.target, episode.scenario);
    return found && found->verdict == Verdict::fail && found->observed == failed_.observed &&
           found->evidence.opinion == failed_.evidence.opinion && found->leaked.empty() == failed_.leaked.empty();
  }

 private:
  std::optional<CheckResult> asked(Endpoint& endpoint, const Scenario& scenario) const {
    journal::Journal journal;
    RunOptions options;
    options.run_id = attempt_id(setting_.seed, attempts_);
    options.settle_within = setting_.settle_within;
    std::vector<Error> errors;
    const Report report = run_scenarios({scenario}, endpoint, setting_.rules, journal, options, errors);
    const auto found = std::ranges::find(report.checks, failed_.id, &CheckResult::id);
    if (found == report.checks.end()) return std::nullopt;
    return *found;
  }

  const CheckResult& failed_;
  const ShrinkSetting& setting_;
  std::unique_ptr<Endpoint> reference_;
  std::size_t attempts_ = 0;
};

/// The scenario at the release, up to the failed check, which is asked in the way that failed.
std::optional<Scenario> up_to(const CheckResult& failed, const Scenario& scenario, const RuleSet& rules) {
  Scenario out = at_version(scenario, rules.release().version);
  for (std::size_t i = 0; i < out.steps.size(); ++i) {
    if (!out.steps[i].check) continue;
    Check& check = *out.steps[i].check;
    for (const Probe& probe : probes_of(check, out.id + "/" + check.name, rules)) {
      if (probe.id != failed.id) continue;
      if (probe.way) check.ways = {*probe.way};
      out.steps.resize(i + 1);
      return out;
    }
  }
  return std::nullopt;
}

explore::Heard expected_of(const Step& step, const Catalogue& catalogue) {
  explore::Heard out;
  out.sent = true;
  if (!step.check || step.check->rules.empty()) return out;
  out.answer.kind = step.check->allow ? Answer::Kind::allowed : Answer::Kind::refused;
  out.rule = catalogue[step.check->rules.front()].id;
  return out;
}

}  // namespace

std::optional<std::string> smallest_scenario(const Scenario& scenario, const CheckResult& failed,
                                             const ShrinkSetting& setting) {
  const Catalogue& catalogue = setting.rules.catalogue();
  const auto whole = up_to(failed, scenario, setting.rules);
  if (!whole || scenario.server) return std::nullopt;
  explore::Chance chance(setting.seed);
  explore::EpisodeDifference difference;
  difference.episode = explore::episode_of(*whole, setting.rules.release().version, chance);
  Scenario& world = difference.episode.scenario;
  // Checks are found by their ids.
  world.id = whole->id;
  world.file = whole->file;
  world.profile = whole->profile;
  difference.step = world.steps.size() - 1;
  Asker asker(failed, setting);
  if (!asker.shows(difference.episode)) return std::nullopt;
  const explore::StillDiffers still_fails =
      [&](const explore::Episode& candidate) -> std::optional<explore::EpisodeDifference> {
    if (!asker.shows(candidate)) return std::nullopt;
    return explore::EpisodeDifference{candidate, candidate.scenario.steps.size() - 1, {}, {}};
  };
  explore::EpisodeDifference small = explore::shrunk(std::move(difference), still_fails, setting.attempts);
  std::vector<explore::Heard> due;
  for (const Step& step : small.episode.scenario.steps) due.push_back(expected_of(step, catalogue));
  small.a = due.back();
  const auto text =
      explore::scenario_of(small, due,
                           {.title = "Fails: " + to_text(small.episode.scenario.steps.back().check->request),
                            .about = "The smallest case found of " + failed.id + ", which the target fails."},
                           catalogue);
  if (!text) return std::nullopt;
  return *text;
}

}  // namespace nodebound::failures
