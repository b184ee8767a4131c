#include "harness/endpoint/signals.h"

#include <csignal>
#include <sys/time.h>

namespace nodebound {
namespace {

// Constant-initialised at namespace scope: a signal handler must not run the guard of a local static.
constinit std::atomic<bool> interrupted_flag{false};
constinit std::atomic<bool> out_of_time{false};
constinit std::atomic<std::uint64_t> interruption_count{0};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<std::uint64_t>::is_always_lock_free,
              "a signal handler may only touch lock-free atomics");

extern "C" void note_interruption(int signal) {
  if (signal == SIGALRM) {
    // The clean-up is already under way, and the time limit of each of its requests bounds it.
    if (interrupted_flag.load()) return;
    out_of_time.store(true);
  }
  interrupted_flag.store(true);
  interruption_count.fetch_add(1);
}

}  // namespace

std::atomic<bool>& interrupted() {
  return interrupted_flag;
}

std::uint64_t interruptions() {
  return interruption_count.load();
}

std::string interruption() {
  return out_of_time.load() ? "the time that --timeout gives the run was up" : "the run was interrupted";
}

void install_signal_handlers() {
  struct sigaction action {};
  action.sa_handler = note_interruption;
  sigemptyset(&action.sa_mask);
  // Without SA_RESTART, a signal ends a sleep at once. All reads and writes here repeat after EINTR by themselves.
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGALRM}) sigaction(signal, &action, nullptr);
}

void end_run_after(std::chrono::milliseconds time) {
  static std::atomic<bool> set{false};
  if (time.count() <= 0 || set.exchange(true)) return;
  itimerval timer{};
  timer.it_value.tv_sec = static_cast<time_t>(time.count() / 1000);
  timer.it_value.tv_usec = static_cast<suseconds_t>(time.count() % 1000 * 1000);
  setitimer(ITIMER_REAL, &timer, nullptr);
}

}  // namespace nodebound
