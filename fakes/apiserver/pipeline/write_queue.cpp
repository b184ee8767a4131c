#include "fakes/apiserver/pipeline/write_queue.h"

#include <utility>

namespace nodebound::apiserver {

HttpResponse WriteQueue::add(const Write& write) {
  Job own{write, {}, nullptr};
  std::unique_lock lock(mutex_);
  waiting_.push_back(&own);
  done_.wait(lock, [&] { return own.done || !running_; });
  if (!own.done) {
    running_ = true;
    std::deque<Job*> jobs = std::exchange(waiting_, {});
    lock.unlock();
    run_(jobs);
    lock.lock();
    for (Job* job : jobs) job->done = true;
    running_ = false;
    done_.notify_all();
  }
  if (own.failure) std::rethrow_exception(own.failure);
  return std::move(own.answer);
}

}  // namespace nodebound::apiserver
