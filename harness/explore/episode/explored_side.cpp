#include "harness/explore/episode/explored_side.h"

#include "harness/explore/episode/episode_run.h"

namespace nodebound::explore {

/// What a worker keeps on a target that many episodes share.
struct SideWorker::Guard {
  Guard(const ExploredSide& side, std::size_t world)
      : names(side.run_id, world, {side.endpoint.observed().api_versions, side.resources}),
        session(side.endpoint.open_session()),
        barrier(side.endpoint, *session, names, side.journal, side.rules.release()) {}

  Names names;
  std::unique_ptr<Session> session;
  Barrier barrier;
};

SideWorker::SideWorker(const ExploredSide& side, Worlds& worlds) : side_(side) {
  if (!side.endpoint.decides_on_latest_state()) guard_ = std::make_unique<Guard>(side, worlds++);
}

SideWorker::~SideWorker() = default;

Result<std::vector<Heard>> SideWorker::run(const Episode& episode, std::size_t world,
                                           const std::vector<Heard>* expected, Pace pace) {
  // Each session of the reference is a cluster of its own.
  std::unique_ptr<Session> own = guard_ ? nullptr : side_.endpoint.open_session();
  Session& session = guard_ ? *guard_->session : *own;
  EpisodeRun run(side_, session, guard_ ? &guard_->barrier : nullptr, episode, world);
  Result<std::vector<Heard>> heard = run.run(expected, pace);
  requests_ += run.requests();
  for (Error& error : run.clean_up()) clean_up_errors_.push_back(std::move(error));
  return heard;
}

void SideWorker::finish() {
  if (!guard_) return;
  for (Error& error : guard_->barrier.clean_up()) clean_up_errors_.push_back(std::move(error));
}

}  // namespace nodebound::explore
