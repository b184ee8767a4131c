#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fakes/wire/resources/api_resources.h"
#include "harness/explore/episode/barrier.h"
#include "harness/explore/episode/episode.h"
#include "harness/explore/episode/heard.h"
#include "harness/journal/journal.h"
#include "reference/release/rule_set.h"

namespace nodebound::explore {

/// A target on which episodes run. Everything it refers to must outlive it.
struct ExploredSide {
  Endpoint& endpoint;
  const RuleSet& rules;           ///< by which its answers are judged
  const ApiResources& resources;  ///< of the release
  journal::Journal& journal;
  std::string run_id;  ///< the same on both sides, so that names in their messages agree
  /// Others use one of the two sides, so both are asked within the bounds of a guest (harness/guest/).
  bool guest = false;
  bool keeps_dry_runs = true;    ///< whether both sides honour dry runs
  bool judges_contents = false;  ///< whether what its writes store and its reads show is judged, too; not of a guest
};

/// Numbers worlds: no two episodes of a run, and no two attempts at one, share a number.
using Worlds = std::atomic<std::size_t>;

/// Runs episodes on a side, one after the other. For one thread.
class SideWorker {
 public:
  SideWorker(const ExploredSide& side, Worlds& worlds);
  ~SideWorker();

  /// The side's answers to each step. `expected` are the other side's answers: if a target that learns with a delay
  /// answers differently, it is asked again for a while, unless delay cannot explain its answer. An error means that
  /// there was no answer.
  Result<std::vector<Heard>> run(const Episode& episode, std::size_t world, const std::vector<Heard>* expected,
                                 Pace pace);

  /// Removes what was made for all episodes of the worker.
  void finish();

  [[nodiscard]] std::size_t requests() const { return requests_; }
  [[nodiscard]] const std::vector<Error>& clean_up_errors() const { return clean_up_errors_; }

 private:
  struct Guard;

  const ExploredSide& side_;
  std::unique_ptr<Guard> guard_;  ///< null if decisions use the latest state
  std::size_t requests_ = 0;
  std::vector<Error> clean_up_errors_;
};

}  // namespace nodebound::explore
