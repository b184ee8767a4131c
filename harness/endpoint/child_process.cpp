#include "harness/endpoint/child_process.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <linux/close_range.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace nodebound {
namespace {

/// Everything the child needs, prepared before the fork: after it, locks of other threads may be held for ever, so only
/// async-signal-safe calls are allowed.
struct Launch {
  const char* program;
  char* const* arguments;
  char* const* environment;
  int input;  ///< negative: nothing to read
  int output;
  int error;
  int failure;  ///< gets errno where exec fails; closed by a successful exec
  pid_t parent;
};

[[noreturn]] void give_up(const Launch& launch) {
  const int reason = errno;
  [[maybe_unused]] const ssize_t written = write(launch.failure, &reason, sizeof reason);
  _exit(127);
}

[[noreturn]] void become(const Launch& launch) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // The parent may have ended before prctl() took effect.
  if (getppid() != launch.parent) _exit(127);
  std::signal(SIGPIPE, SIG_DFL);
  const int input = launch.input < 0 ? open("/dev/null", O_RDONLY) : launch.input;
  if (input < 0 || dup2(input, 0) < 0 || dup2(launch.output, 1) < 0 || dup2(launch.error, 2) < 0) give_up(launch);
  // On a kernel without it, our descriptors leak into the child, which wastes them but does no other harm.
  close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
  execvpe(launch.program, launch.arguments, launch.environment);
  give_up(launch);
}

/// The part of our environment that a program needs, and the variables for it. It must not get tokens, passwords and
/// proxies from the environment of a shell or of CI.
bool is_passed_on(std::string_view variable) {
  static constexpr std::array<std::string_view, 18> names = {
      "PATH",         "HOME",         "TMPDIR",        "TZ",          "LANG",        "LC_ALL",     "LD_LIBRARY_PATH",
      "GOMAXPROCS",   "GOGC",         "GOMEMLIMIT",    "GODEBUG",     "GOTRACEBACK", "GOCOVERDIR", "XDG_CACHE_HOME",
      "ASAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS"};
  const std::string_view name = variable.substr(0, variable.find('='));
  return name.starts_with("NODEBOUND_") || std::find(names.begin(), names.end(), name) != names.end();
}

std::vector<char*> environment_of_children() {
  std::vector<char*> out;
  for (char** each = environ; each != nullptr && *each != nullptr; ++each) {
    if (is_passed_on(*each)) out.push_back(*each);
  }
  out.push_back(nullptr);
  return out;
}

std::string describe(int wait_status) {
  if (WIFSIGNALED(wait_status)) return "by signal " + std::to_string(WTERMSIG(wait_status));
  return "with exit status " + std::to_string(WEXITSTATUS(wait_status));
}

struct ChildStreams {
  int input;  ///< negative: nothing to read
  int output;
  int error;
};

/// The process id, or why there is none.
tl::expected<pid_t, int> launch_child(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                                      const ChildStreams& streams) {
  std::string name = program.string();
  std::vector<std::string> texts = arguments;
  std::vector<char*> pointers{name.data()};
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  const std::vector<char*> environment = environment_of_children();

  std::array<int, 2> failure{};
  if (pipe2(failure.data(), O_CLOEXEC) != 0) return tl::unexpected(errno);
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid == 0) {
    become({name.c_str(), pointers.data(), environment.data(), streams.input, streams.output, streams.error, failure[1],
            parent});
  }
  const int fork_failure = errno;
  close(failure[1]);
  int reason = pid < 0 ? fork_failure : 0;
  // Reads no bytes once exec has succeeded.
  while (pid > 0 && read(failure[0], &reason, sizeof reason) < 0 && errno == EINTR) {
  }
  close(failure[0]);
  if (reason != 0) {
    if (pid > 0) waitpid(pid, nullptr, 0);
    return tl::unexpected(reason);
  }
  return pid;
}

tl::unexpected<Error> not_started(const std::filesystem::path& program, int reason) {
  return unreachable_error(program.string(), std::string("could not be started: ") + std::strerror(reason));
}

/// Both ends of a pipe; ours does not block.
struct Pipe {
  Descriptor reads;
  Descriptor writes;

  static tl::expected<Pipe, int> make(bool we_read) {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) return tl::unexpected(errno);
    const int ours = we_read ? ends[0] : ends[1];
    fcntl(ours, F_SETFL, fcntl(ours, F_GETFL) | O_NONBLOCK);
    return Pipe{Descriptor(ends[0]), Descriptor(ends[1])};
  }
};

}  // namespace

Result<std::unique_ptr<ChildProcess>> ChildProcess::start(const std::filesystem::path& program,
                                                          const std::vector<std::string>& arguments,
                                                          const std::filesystem::path& log) {
  const Descriptor log_file(open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
  if (!log_file.is_open()) return not_started(program, errno);
  const auto pid = launch_child(program, arguments, {-1, log_file.get(), log_file.get()});
  if (!pid) return not_started(program, pid.error());
  return std::unique_ptr<ChildProcess>(new ChildProcess(*pid, log));
}

Result<ChildProcess::Piped> ChildProcess::start_piped(const std::filesystem::path& program,
                                                      const std::vector<std::string>& arguments) {
  auto input = Pipe::make(false);
  auto output = Pipe::make(true);
  auto error = Pipe::make(true);
  for (const auto* pipe : {&input, &output, &error}) {
    if (!*pipe) return not_started(program, pipe->error());
  }
  const auto pid = launch_child(program, arguments, {input->reads.get(), output->writes.get(), error->writes.get()});
  if (!pid) return not_started(program, pid.error());
  return Piped{std::unique_ptr<ChildProcess>(new ChildProcess(*pid, {})),
               {std::move(input->writes), std::move(output->reads), std::move(error->reads)}};
}

ChildProcess::~ChildProcess() {
  stop();
}

std::optional<std::string> ChildProcess::ending() {
  const std::lock_guard lock(mutex_);
  int status = 0;
  if (!wait_status_ && waitpid(pid_, &status, WNOHANG) == pid_) wait_status_ = status;
  if (!wait_status_) return std::nullopt;
  return describe(*wait_status_);
}

void ChildProcess::stop(std::chrono::milliseconds patience) {
  if (ending()) return;
  ::kill(-pid_, SIGTERM);
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (std::chrono::steady_clock::now() < deadline) {
    if (ending()) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  kill();
}

void ChildProcess::kill() {
  const std::lock_guard lock(mutex_);
  if (wait_status_) return;
  ::kill(-pid_, SIGKILL);
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  wait_status_ = status;
}

std::string ChildProcess::last_lines(std::size_t count) const {
  std::ifstream in(log_, std::ios::binary);
  constexpr std::streamoff kTail = 16384;
  in.seekg(0, std::ios::end);
  in.seekg(std::max<std::streamoff>(0, in.tellg() - kTail));
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) {
    if (line.empty()) continue;
    lines.push_back(line);
    if (lines.size() > count) lines.erase(lines.begin());
  }
  std::string out;
  for (const std::string& line : lines) out += (out.empty() ? "" : "\n") + line;
  return out;
}

}  // namespace nodebound
