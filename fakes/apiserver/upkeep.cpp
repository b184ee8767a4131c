// The ApiServer's work besides answering: durable writes, the end of watches, lagging authorizers and admission.

#include <mutex>
#include <utility>

#include "fakes/apiserver/api_server.h"
#include "fakes/apiserver/server_state.h"
#include "fakes/apiserver/status.h"
#include "fakes/apiserver/watch/watch_stream.h"
#include "fakes/store/delayed_cluster.h"

namespace nodebound::apiserver {

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
  const Result<void> stored = state_->store.commit();
  state_->serve_custom_resources();
  if (stored) return;
  for (WriteQueue::Job* job : jobs) {
    // A job without a write of its own may have been answered from another job's write, so all fail together.
    job->failure = nullptr;
    job->answer = internal_error(stored.error().where + ": " + stored.error().what);
  }
}

void ApiServer::learn(const JournalEntry& entry) {
  const std::unique_lock lock(mutex_);
  state_->store.learn(entry);
  state_->serve_custom_resources();
}

void ApiServer::end_watches() {
  const std::shared_lock lock(mutex_);
  state_->store.each_listener([](ChangeListener& listener) {
    if (auto* const stream = dynamic_cast<WatchStream*>(&listener)) stream->end();
  });
}

void ApiServer::follow_at_once() {
  state_->store.set_follower(nullptr);
  if (!state_->options.access_control) return;
  state_->store.set_follower([access_control = state_->access_control.get()](
                                 const ObjectKey& key, const std::shared_ptr<const Change>& change) {
    access_control->changed(key, *change);
  });
}

void ApiServer::set_lag(Lag lag) {
  const std::unique_lock lock(mutex_);
  lag_ = state_->options.clock ? std::move(lag) : nullptr;
  if (!lag_) {
    follow_at_once();
    state_->decide_on(state_->store.cluster());
    delayed_.reset();
    lags_ = false;
    return;
  }
  if (delayed_) return;
  delayed_ = std::make_unique<DelayedCluster>(state_->rules);
  const std::shared_ptr<const ApiResources> resources = state_->served().resources;
  for (const ApiResource& resource : resources->all()) {
    state_->store.cluster().each_kept(resource.group, resource.resource, "",
                                      [&](const std::string& in, const std::string& name, const KeptObject& object) {
                                        delayed_->put({resource.group, resource.resource, in, name}, object);
                                      });
  }
  state_->store.set_follower([this](const ObjectKey& key, const std::shared_ptr<const Change>& change) {
    delayed_->changed(key, change, state_->options.clock() + lag_(key));
  });
  state_->decide_on(delayed_->cluster());
  lags_ = true;
}

void ApiServer::authorize_by(std::vector<AuthorizationMode> modes,
                             std::vector<std::shared_ptr<const AuthorizationWebhook>> webhooks) {
  const std::unique_lock lock(mutex_);
  state_->authorization_modes = std::move(modes);
  state_->authorization_webhooks = std::move(webhooks);
  state_->decide_on(delayed_ ? delayed_->cluster() : state_->store.cluster());
}

void ApiServer::catch_up() {
  if (!lags_.load(std::memory_order_relaxed)) return;
  const auto now = state_->options.clock();
  {
    const std::shared_lock lock(mutex_);
    if (!delayed_ || !delayed_->has_news(now)) return;
  }
  const std::unique_lock lock(mutex_);
  if (delayed_) delayed_->catch_up(now);
}

// Forgets what is older than the last time that this was done (apiserver's storage/etcd3/compact.go). The first time
// only sets the clock, and the second only notes how old the history is.
void ApiServer::compact(std::chrono::system_clock::time_point now) {
  if (!state_->options.compaction) return;
  const std::unique_lock lock(mutex_);
  if (state_->compacts_at && now < *state_->compacts_at) return;
  if (state_->compacts_at) {
    state_->store.compact(state_->compacts_to);
    state_->compacts_to = state_->store.version();
  }
  state_->compacts_at = now + *state_->options.compaction;
}

void ApiServer::tick() {
  if (!state_->options.clock) return;
  const auto time = state_->options.clock();
  compact(time);
  if (!state_->watches_due.come(time)) return;
  const std::shared_lock lock(mutex_);
  // A watch that begins from here on adds itself.
  state_->watches_due.clear();
  state_->store.each_listener([&](ChangeListener& listener) {
    auto* const stream = dynamic_cast<WatchStream*>(&listener);
    if (stream == nullptr) return;
    stream->tick(time, state_->store.version());
    state_->watches_due.add(stream->due());
  });
}

}  // namespace nodebound::apiserver
