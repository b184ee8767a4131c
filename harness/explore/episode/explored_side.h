#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fakes/apiserver/api_resources.h"
#include "harness/explore/episode/barrier.h"
#include "harness/explore/episode/episode.h"
#include "harness/explore/episode/heard.h"
#include "harness/journal/journal.h"
#include "reference/release/rule_set.h"

namespace nodebound {

/// A target that episodes are run on. All that is referred to must outlive it.
struct ExploredSide {
  Endpoint& endpoint;
  const RuleSet& rules;           ///< that its answers are judged by
  const ApiResources& resources;  ///< that the release has
  Journal& journal;
  std::string run_id;  ///< the same on both sides, so that names in their messages are the same
  /// Others use one of the two sides, so both are asked as a guest asks (harness/guest/).
  bool guest = false;
  bool keeps_dry_runs = true;  ///< whether both sides do
};

/// Numbers worlds: no two episodes of a run, and none of their attempts, have one in common.
using Worlds = std::atomic<std::size_t>;

/// Runs episodes on a side, one after the other. For one thread.
class SideWorker {
 public:
  SideWorker(const ExploredSide& side, Worlds& worlds);
  ~SideWorker();

  /// What the side says to each step. `expected` is what the other side said: where a target that learns of writes
  /// later says otherwise, it is asked again for a while, unless what it said cannot come of that. An error means that
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
  std::unique_ptr<Guard> guard_;  ///< null where decisions are on the latest state
  std::size_t requests_ = 0;
  std::vector<Error> clean_up_errors_;
};

}  // namespace nodebound
