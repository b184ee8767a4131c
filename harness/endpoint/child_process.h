#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

#include "reference/result.h"

namespace nodebound {

/// A program that runs beside us and cannot outlive us: the kernel kills it when the thread that started it ends, so
/// start it from the main thread. It has a process group of its own, which keeps a terminal's Ctrl-C from it.
class ChildProcess {
 public:
  /// A name without a slash is looked for in PATH. Standard output and error go to `log`. Of our environment it gets
  /// what programs need (PATH, HOME, TMPDIR, GOMAXPROCS and the like) and NODEBOUND_*.
  static Result<std::unique_ptr<ChildProcess>> start(const std::filesystem::path& program,
                                                     const std::vector<std::string>& arguments,
                                                     const std::filesystem::path& log);

  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  /// As stop().
  ~ChildProcess();

  /// "with exit status 1", "by signal 9"; nothing while it runs. Thread-safe.
  std::optional<std::string> ending();

  /// SIGTERM, and SIGKILL to the whole group where that does not end it in time.
  void stop(std::chrono::milliseconds patience = std::chrono::seconds(5));

  /// SIGKILL at once, as a crash would have it; returns when it has ended.
  void kill();

  /// The end of what it wrote, without the trailing line break.
  [[nodiscard]] std::string last_lines(std::size_t count) const;

 private:
  ChildProcess(pid_t pid, std::filesystem::path log) : pid_(pid), log_(std::move(log)) {}

  std::mutex mutex_;
  pid_t pid_;
  std::optional<int> wait_status_;
  std::filesystem::path log_;
};

}  // namespace nodebound
