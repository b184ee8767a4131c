#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace boost::asio {
class io_context;
}

namespace nodebound {

/// The threads of a server. They are few, because many would get in each other's way; while a handler on one of them
/// waits (Waiting), another thread stands in.
class ServingThreads {
 public:
  explicit ServingThreads(boost::asio::io_context& context) : context_(context) {}
  ~ServingThreads() { join(); }

  ServingThreads(const ServingThreads&) = delete;
  ServingThreads& operator=(const ServingThreads&) = delete;

  void start(unsigned count);
  /// Returns when all threads have ended, which they do once the context is stopped.
  void join();

 private:
  friend class Waiting;

  void begin_waiting();
  void end_waiting();
  void serve();
  void stand_in();

  boost::asio::io_context& context_;
  std::mutex mutex_;
  std::condition_variable needed_;
  std::vector<std::thread> threads_;
  unsigned wanted_ = 0;   ///< threads that do not wait
  unsigned serving_ = 0;  ///< threads including those that wait
  unsigned waiting_ = 0;
  unsigned idle_ = 0;  ///< stand-in threads at rest
  bool ended_ = false;
};

/// Marks the time during which a handler waits for another server, or for time to pass. It has no effect on a thread
/// that does not serve.
class Waiting {
 public:
  Waiting();
  ~Waiting();
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;

 private:
  ServingThreads* of_;
};

}  // namespace nodebound
