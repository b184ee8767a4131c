#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace boost::asio {
class io_context;
}

namespace nodebound {

/// The threads of a server: few, for many only get in each other's way; but one that waits for something else than its
/// sockets (Waiting) has another take its place meanwhile.
class ServingThreads {
 public:
  explicit ServingThreads(boost::asio::io_context& context) : context_(context) {}
  ~ServingThreads() { join(); }

  ServingThreads(const ServingThreads&) = delete;
  ServingThreads& operator=(const ServingThreads&) = delete;

  void start(unsigned count);
  /// Returns when all have ended, which they do once the context is stopped.
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
  unsigned wanted_ = 0;   ///< that do not wait
  unsigned serving_ = 0;  ///< with those that wait
  unsigned waiting_ = 0;
  unsigned idle_ = 0;  ///< that have stood in before
  bool ended_ = false;
};

/// While there is one, its thread waits: for another server, or for time to go by. Of a thread that serves nobody it
/// means nothing.
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
