#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

#include "fakes/files/private_file.h"
#include "reference/result.h"

namespace nodebound {

/// A program that runs beside us and cannot outlive us: the kernel kills it when the thread that started it ends, so
/// start it from the main thread. It has its own process group, so Ctrl-C in a terminal does not reach it.
class ChildProcess {
 public:
  /// A name without a slash is searched in PATH. Standard output and error go to `log`. Of our environment the program
  /// gets what programs need (PATH, HOME, TMPDIR, GOMAXPROCS and the like) and NODEBOUND_*.
  static Result<std::unique_ptr<ChildProcess>> start(const std::filesystem::path& program,
                                                     const std::vector<std::string>& arguments,
                                                     const std::filesystem::path& log);

  /// Our ends of a program's standard streams. They do not block.
  struct Streams {
    Descriptor input;
    Descriptor output;
    Descriptor error;
  };
  struct Piped {
    std::unique_ptr<ChildProcess> process;
    Streams streams;
  };
  /// The same for a program that we talk to.
  static Result<Piped> start_piped(const std::filesystem::path& program, const std::vector<std::string>& arguments);

  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  /// Stops the program as stop() does.
  ~ChildProcess();

  /// "with exit status 1", "by signal 9"; empty while it runs. Thread-safe.
  std::optional<std::string> ending();

  /// Sends SIGTERM, and SIGKILL to the whole group if the program does not end in time.
  void stop(std::chrono::milliseconds patience = std::chrono::seconds(5));

  /// Sends SIGKILL at once, like a crash. Returns when the program has ended.
  void kill();

  /// The end of its output in the log, without the trailing line break.
  [[nodiscard]] std::string last_lines(std::size_t count) const;

 private:
  ChildProcess(pid_t pid, std::filesystem::path log) : pid_(pid), log_(std::move(log)) {}

  std::mutex mutex_;
  pid_t pid_;
  std::optional<int> wait_status_;
  std::filesystem::path log_;
};

}  // namespace nodebound
