#include "fakes/http/serving_threads.h"

#include <boost/asio/io_context.hpp>
#include <chrono>

namespace nodebound {
namespace {

constexpr unsigned most_threads = 512;
// How often a stand-in thread checks whether it is still needed.
constexpr std::chrono::milliseconds turn{100};

thread_local ServingThreads* serving_for = nullptr;

}  // namespace

void ServingThreads::start(unsigned count) {
  const std::lock_guard lock(mutex_);
  wanted_ = serving_ = count;
  for (unsigned i = 0; i < count; ++i) threads_.emplace_back([this] { serve(); });
}

void ServingThreads::join() {
  std::vector<std::thread> all;
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    all.swap(threads_);
  }
  needed_.notify_all();
  for (std::thread& thread : all) thread.join();
}

void ServingThreads::serve() {
  serving_for = this;
  context_.run();
}

void ServingThreads::stand_in() {
  serving_for = this;
  std::unique_lock lock(mutex_);
  while (!ended_) {
    lock.unlock();
    context_.run_one_for(turn);
    lock.lock();
    if (serving_ - waiting_ <= wanted_) continue;
    --serving_;
    ++idle_;
    needed_.wait(lock, [this] { return ended_ || serving_ - waiting_ < wanted_; });
    --idle_;
    ++serving_;
  }
}

void ServingThreads::begin_waiting() {
  const std::lock_guard lock(mutex_);
  ++waiting_;
  if (ended_ || serving_ - waiting_ >= wanted_) return;
  if (idle_ > 0) {
    needed_.notify_one();
  } else if (serving_ < most_threads) {
    ++serving_;
    threads_.emplace_back([this] { stand_in(); });
  }
}

void ServingThreads::end_waiting() {
  const std::lock_guard lock(mutex_);
  --waiting_;
}

Waiting::Waiting() : of_(serving_for) {
  if (of_ != nullptr) of_->begin_waiting();
}

Waiting::~Waiting() {
  if (of_ != nullptr) of_->end_waiting();
}

}  // namespace nodebound
