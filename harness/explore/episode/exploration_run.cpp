#include "harness/explore/episode/exploration_run.h"

#include <shared_mutex>

#include "harness/check/contained.h"
#include "harness/endpoint/signals.h"
#include "harness/journal/target_probe.h"
#include "harness/run/in_parallel.h"

namespace nodebound::explore {
namespace {

/// Episodes chosen with the same coverage, so that they can run side by side.
constexpr std::size_t generation_size = 32;

/// The state of one thread.
struct Workers {
  Workers(const ExploredSide& a, const ExploredSide& b, const ExploredSide& guide, Worlds& worlds)
      : of_a(a, worlds), of_b(b, worlds), of_guide(guide, worlds) {}

  SideWorker of_a;
  SideWorker of_b;
  SideWorker of_guide;
};

struct Both {
  std::vector<Heard> a;
  std::vector<Heard> b;
};

/// The result of one episode.
struct Played {
  Episode episode;
  std::vector<std::string> fired;
  std::vector<std::string> rules;  ///< deciding rules of each step, by the guide, because a real server names none
  std::vector<EpisodeDifference> differences;
  std::size_t requests = 0;
  std::size_t reworded = 0;
  std::optional<Error> failed;
};

std::string kind_of(const EpisodeDifference& difference, const std::string& rule) {
  const Step& step = difference.episode.scenario.steps[difference.step];
  const RequestText& request = step.check ? step.check->request : step.actions.front().target;
  return rule + " " + request.verb + " " + request.resource + "/" + request.subresource + " " + to_text(difference.a) +
         " " + to_text(difference.b);
}

class Explorer {
 public:
  Explorer(const ExploredSide& a, const ExploredSide& b, const ExploredSide& guide, const EpisodeSource& source,
           const ExploreOptions& options)
      : a_(a),
        b_(b),
        guide_(guide),
        source_(source),
        options_(options),
        only_reviews_(!a.endpoint.capabilities().has(Capability::request) ||
                      !b.endpoint.capabilities().has(Capability::request)) {
    for (std::size_t count = 0; count < options.jobs; ++count) {
      workers_.push_back(std::make_unique<Workers>(a, b, guide, worlds_));
    }
  }

  Result<ExplorationOutcome> run(LeftBehind& left) {
    const Result<void> asked = contained([this] { return ask_all(); });
    for (const auto& workers : workers_) {
      finish(workers->of_a, left.on_a);
      finish(workers->of_b, left.on_b);
    }
    if (!asked) return tl::unexpected<Error>(asked.error());
    return std::move(outcome_);
  }

 private:
  Result<void> ask_all() {
    const bool lags = !a_.endpoint.decides_on_latest_state() || !b_.endpoint.decides_on_latest_state();
    for (std::size_t first = 0; outcome_.requests < options_.requests; first += generation_size) {
      if (Result<void> done = generation(first); !done) return done;
      if (options_.only && *options_.only < first + generation_size) break;
    }
    each(outcome_.differences.size(),
         [&](std::size_t at, Workers& workers) { look_closer(outcome_.differences[at], workers, lags, at); });
    merge_equal();
    if (interrupted()) return unreachable_error("", interruption());
    return {};
  }

  static void finish(SideWorker& worker, std::vector<Error>& left) {
    const Result<void> finished = contained([&]() -> Result<void> {
      worker.finish();
      return {};
    });
    if (!finished) left.push_back(finished.error());
    const std::vector<Error>& errors = worker.clean_up_errors();
    left.insert(left.end(), errors.begin(), errors.end());
  }

  void each(std::size_t count, const std::function<void(std::size_t, Workers&)>& work) {
    in_parallel(
        count, workers_.size(), [&](std::size_t at, std::size_t thread) { work(at, *workers_[thread]); }, interrupted);
  }

  Result<void> generation(std::size_t first) {
    std::vector<Played> played(generation_size);
    each(generation_size, [&](std::size_t at, Workers& workers) {
      played[at] = play(first + at, workers);
      options_.asked(played[at].requests);
    });
    if (interrupted()) return unreachable_error("", interruption());
    for (Played& one : played) {
      if (one.failed) return tl::unexpected<Error>(*one.failed);
      add(one);
    }
    return {};
  }

  void add(Played& played) {
    outcome_.coverage.count(played.fired);
    corpus_.keep(played.episode, played.fired);
    outcome_.requests += played.requests;
    outcome_.episodes += played.requests == 0 ? 0 : 1;
    outcome_.reworded += played.reworded;
    for (EpisodeDifference& difference : played.differences) {
      const std::string kind = kind_of(difference, played.rules[difference.step]);
      const auto [known, fresh] = kinds_.try_emplace(kind, outcome_.differences.size());
      if (fresh) outcome_.differences.push_back({std::move(difference), 0, true, false, {}, {}});
      ++outcome_.differences[known->second].count;
    }
  }

  // Chooses the candidate whose decisions were rarest so far, on both sides.
  Played play(std::size_t number, Workers& workers) {
    Played out;
    const std::size_t world = worlds_++;
    std::vector<Heard> of_guide;
    double best = -1;
    for (Episode& candidate : source_.candidates(number, outcome_.coverage, corpus_)) {
      if (only_reviews_) candidate = as_reviews(std::move(candidate));
      Result<std::vector<Heard>> heard = workers.of_guide.run(candidate, world, nullptr, Pace::quick);
      if (!heard) return failed(heard.error());
      const double rarity = outcome_.coverage.rarity(fired(*heard));
      if (rarity <= best) continue;
      best = rarity;
      out.episode = std::move(candidate);
      of_guide = std::move(*heard);
    }
    out.fired = fired(of_guide);
    for (const Heard& heard : of_guide) out.rules.push_back(heard.rule);
    if (options_.only && *options_.only != number) return out;
    Result<Both> both = &a_ == &guide_ ? Result<Both>(Both{std::move(of_guide), {}}) : Result<Both>(Both{});
    if (Result<void> done = ask_both(out.episode, world, workers, Pace::quick, *both); !done)
      return failed(done.error());
    compare(*both, out);
    return out;
  }

  static Played failed(const Error& error) {
    Played out;
    out.failed = error;
    return out;
  }

  // Asks first the side that knows every write at once, so that the other side gets time if it answers differently.
  Result<void> ask_both(const Episode& episode, std::size_t world, Workers& workers, Pace pace, Both& both) {
    std::shared_lock beside(others_, std::defer_lock);
    std::unique_lock alone(others_, std::defer_lock);
    shows_to_others(episode) ? alone.lock() : beside.lock();
    const bool b_first = b_.endpoint.decides_on_latest_state() && !a_.endpoint.decides_on_latest_state();
    if (b_first) {
      if (Result<void> done = ask(workers.of_b, episode, world, nullptr, pace, both.b); !done) return done;
      return ask(workers.of_a, episode, world, &both.b, pace, both.a);
    }
    if (both.a.empty()) {
      if (Result<void> done = ask(workers.of_a, episode, world, nullptr, pace, both.a); !done) return done;
    }
    return ask(workers.of_b, episode, world, &both.a, pace, both.b);
  }

  static Result<void> ask(SideWorker& worker, const Episode& episode, std::size_t world,
                          const std::vector<Heard>* expected, Pace pace, std::vector<Heard>& out) {
    Result<std::vector<Heard>> heard = worker.run(episode, world, expected, pace);
    if (!heard) return tl::unexpected<Error>(heard.error());
    out = std::move(*heard);
    return {};
  }

  // If only one side accepted a write, later questions ask two different worlds, so they are not compared.
  static void compare(const Both& both, Played& out) {
    const std::vector<Step>& steps = out.episode.scenario.steps;
    for (std::size_t at = 0; at < steps.size(); ++at) {
      if (steps[at].check) ++out.requests;
      if (agree(both.a[at], both.b[at])) {
        const bool said = steps[at].check && both.a[at].sent;
        if (said && comparable_message(both.a[at]) != comparable_message(both.b[at])) ++out.reworded;
        continue;
      }
      out.differences.push_back({out.episode, at, both.a[at], both.b[at]});
      if (!steps[at].check || persists(*steps[at].check)) break;
    }
  }

  std::optional<EpisodeDifference> differs(const Episode& episode, Workers& workers, Pace pace,
                                           const EpisodeDifference& like) {
    Both both;
    if (!ask_both(episode, worlds_++, workers, pace, both)) return std::nullopt;
    Played played;
    played.episode = episode;
    compare(both, played);
    for (EpisodeDifference& found : played.differences) {
      if (to_text(found.a) == to_text(like.a) && to_text(found.b) == to_text(like.b)) return std::move(found);
    }
    return std::nullopt;
  }

  // Reproduces the difference, and gives a target that learns with a delay the time it needs.
  void look_closer(DifferenceFound& found, Workers& workers, bool lags, std::size_t at) {
    const EpisodeDifference like = found.difference;
    found.steady = differs(like.episode, workers, lags ? Pace::careful : Pace::quick, like).has_value();
    if (!found.steady) return;
    if (at < options_.most_shrunk) make_small(found, workers, lags);
    explain_by_rules(found, at < options_.most_explained);
  }

  // A reduced difference must also persist after a target that learns with a delay had time to learn.
  void make_small(DifferenceFound& found, Workers& workers, bool lags) {
    const EpisodeDifference like = found.difference;
    const StillDiffers still = [&](const Episode& episode) { return differs(episode, workers, Pace::quick, like); };
    EpisodeDifference small = shrunk(like, still, options_.attempts);
    found.small = !lags || differs(small.episode, workers, Pace::careful, like);
    if (found.small) found.difference = std::move(small);
  }

  // To look for the cause means to try every rule.
  void explain_by_rules(DifferenceFound& found, bool look_for_cause) const {
    found.by_rules = heard_of_reference(guide_.rules, found.difference.episode);
    if (!look_for_cause) return;
    const std::size_t at = found.difference.step;
    const std::string decided = at < found.by_rules.size() ? found.by_rules[at].rule : std::string();
    found.cause = cause_of(found.difference, decided, a_.rules, b_.rules);
  }

  // Differences of several sorts may reduce to the same episode.
  void merge_equal() {
    std::map<std::string, std::size_t> seen;
    std::vector<DifferenceFound> merged;
    for (DifferenceFound& found : outcome_.differences) {
      std::string text = found.small ? "" : std::to_string(merged.size());
      for (const Step& step : found.difference.episode.scenario.steps) text += to_text(step) + "\n";
      const auto [known, fresh] = seen.try_emplace(text, merged.size());
      if (fresh) {
        merged.push_back(std::move(found));
      } else {
        merged[known->second].count += found.count;
      }
    }
    outcome_.differences = std::move(merged);
  }

  const ExploredSide& a_;
  const ExploredSide& b_;
  const ExploredSide& guide_;
  const EpisodeSource& source_;
  const ExploreOptions& options_;
  const bool only_reviews_;
  Worlds worlds_ = 0;
  std::shared_mutex others_;  ///< episodes that affect others run alone
  std::vector<std::unique_ptr<Workers>> workers_;
  Corpus corpus_;
  std::map<std::string, std::size_t> kinds_;
  ExplorationOutcome outcome_;
};

Result<void> can_be_explored(const Endpoint& endpoint) {
  for (const Capability needed : {Capability::access_review, Capability::objects}) {
    const auto lack = endpoint.capabilities().lacks(needed);
    if (lack) return input_error(endpoint.name(), "cannot be explored: " + *lack);
  }
  return {};
}

}  // namespace

Result<ExplorationOutcome> explore(const ExploredSide& a, const ExploredSide& b, const ExploredSide& guide,
                                   const EpisodeSource& source, const ExploreOptions& options, LeftBehind& left) {
  for (const ExploredSide* side : {&a, &b}) {
    if (const auto can = can_be_explored(side->endpoint); !can) return tl::unexpected<Error>(can.error());
  }
  ExploredSide own_a = a;
  ExploredSide own_b = b;
  ExploredSide own_guide = guide;
  const bool guest = !a.endpoint.disposable() || !b.endpoint.disposable();
  const bool keeps = journal::keeps_dry_runs(a.endpoint, a.journal, a.run_id) &&
                     journal::keeps_dry_runs(b.endpoint, b.journal, b.run_id);
  for (ExploredSide* side : {&own_a, &own_b, &own_guide}) {
    side->guest = guest;
    side->keeps_dry_runs = keeps;
  }
  // The guide is often side A itself.
  return Explorer(own_a, own_b, &guide == &a ? own_a : own_guide, source, options).run(left);
}

}  // namespace nodebound::explore
