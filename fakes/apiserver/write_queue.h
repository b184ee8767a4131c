#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>

#include "fakes/apiserver/http.h"

namespace nodebound {

/// Lets writers that come at the same time share what makes a write durable: the first of them does the writes of all.
class WriteQueue {
 public:
  using Write = std::function<HttpResponse()>;
  /// Runs the writes it is given one after the other and makes them durable; it must not throw. It sets every answer.
  struct Job {
    const Write& write;
    HttpResponse answer;
    std::exception_ptr failure;  ///< what the write threw; thrown again to who asked for it
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

}  // namespace nodebound
