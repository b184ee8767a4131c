// The ApiServer's work besides answering: durable writes, lagging authorizers and admission, reads of earlier versions.

#include <algorithm>
#include <mutex>

#include "fakes/apiserver/api_server.h"
#include "fakes/apiserver/watch/watch_stream.h"
#include "fakes/apiserver/status.h"

namespace nodebound {

// Readers wait until all writes are durable, so nobody sees a write that might be undone.
void ApiServer::run_writes(std::deque<WriteQueue::Job*>& jobs) {
  const std::unique_lock lock(mutex_);
  for (WriteQueue::Job* job : jobs) {
    try {
      job->answer = job->write();
    } catch (...) {
      job->failure = std::current_exception();
    }
  }
  const Result<void> stored = store_.commit();
  if (stored) return;
  for (WriteQueue::Job* job : jobs) {
    // A job without a write of its own may have been answered from another job's write, so all fail together.
    job->failure = nullptr;
    const std::string what = stored.error().where + ": " + stored.error().what;
    job->answer = failure(500, "InternalError", "Internal error occurred: " + what,
                          {{"causes", Object::array({{{"message", what}}})}});
  }
}

void ApiServer::learn(const JournalEntry& entry) {
  const std::unique_lock lock(mutex_);
  store_.learn(entry);
}

void ApiServer::end_watches() {
  const std::shared_lock lock(mutex_);
  store_.each_listener([](ChangeListener& listener) {
    if (auto* const stream = dynamic_cast<WatchStream*>(&listener)) stream->end();
  });
}

void ApiServer::follow_at_once() {
  store_.set_follower(nullptr);
  if (!options_.judges) return;
  store_.set_follower(
      [this](const ObjectKey& key, const std::shared_ptr<const Change>& change) { judges_->changed(key, *change); });
}

void ApiServer::set_lag(Lag lag) {
  const std::unique_lock lock(mutex_);
  lag_ = options_.clock ? std::move(lag) : nullptr;
  if (!lag_) {
    follow_at_once();
    judge_by(store_.cluster());
    delayed_.reset();
    lags_ = false;
    return;
  }
  if (delayed_) return;
  delayed_ = std::make_unique<DelayedCluster>(rules_);
  for (const ApiResource& resource : resources_->all()) {
    store_.cluster().each_shared(resource.group, resource.resource, "",
                                 [&](const std::string& in, const std::string& name, const ObjectPtr& object) {
                                   delayed_->put({resource.group, resource.resource, in, name}, object);
                                 });
  }
  store_.set_follower([this](const ObjectKey& key, const std::shared_ptr<const Change>& change) {
    delayed_->changed(key, change, options_.clock() + lag_(key));
  });
  judge_by(delayed_->cluster());
  lags_ = true;
}

void ApiServer::catch_up() {
  if (!lags_.load(std::memory_order_relaxed)) return;
  const auto now = options_.clock();
  {
    const std::shared_lock lock(mutex_);
    if (!delayed_ || !delayed_->has_news(now)) return;
  }
  const std::unique_lock lock(mutex_);
  if (delayed_) delayed_->catch_up(now);
}

std::uint64_t ApiServer::read_version(const Call& call, std::uint64_t oldest) const {
  const std::uint64_t now = store_.version();
  const std::uint64_t behind = std::min(call.request.server_fault.behind, now);
  const std::uint64_t known = store_.oldest_version(call.attributes.api_group, call.attributes.resource);
  return std::max({now - behind, oldest, known});
}

}  // namespace nodebound
