#include "harness/endpoint/signals.h"

#include <csignal>

namespace nodebound {
namespace {

// Constant-initialised at namespace scope: a signal handler must not run the guard of a local static.
constinit std::atomic<bool> interrupted_flag{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may only touch lock-free atomics");

extern "C" void note_interruption(int /*signal*/) {
  interrupted_flag.store(true);
}

}  // namespace

std::atomic<bool>& interrupted() {
  return interrupted_flag;
}

void install_signal_handlers() {
  struct sigaction action {};
  action.sa_handler = note_interruption;
  sigemptyset(&action.sa_mask);
  // Without SA_RESTART a sleep ends at once; everything that reads or writes here repeats after EINTR by itself.
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaction(signal, &action, nullptr);
}

}  // namespace nodebound
