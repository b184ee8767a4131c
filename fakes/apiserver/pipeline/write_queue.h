#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>

#include "fakes/wire/http.h"

namespace nodebound::apiserver {

/// Lets simultaneous writers share one commit: the first of them runs the writes of all.
class WriteQueue {
 public:
  using Write = std::function<HttpResponse()>;
  /// Runs the given writes one after the other and makes them durable. It must not throw, and must set every answer.
  struct Job {
    const Write& write;
    HttpResponse answer;
    std::exception_ptr failure;  ///< what the write threw; rethrown to its caller
    bool done = false;
  };
  using Run = std::function<void(std::deque<Job*>& jobs)>;

  explicit WriteQueue(Run run) : run_(std::move(run)) {}

  /// Returns when the write is durable, or refused. Thread-safe.
  HttpResponse add(const Write& write);

 private:
  const Run run_;
  std::mutex mutex_;
  std::condition_variable done_;
  std::deque<Job*> waiting_;
  bool running_ = false;
};

}  // namespace nodebound::apiserver
