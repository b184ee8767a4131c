#include "harness/endpoint/transport/patience.h"

#include <algorithm>
#include <poll.h>

#include "harness/endpoint/signals.h"

namespace nodebound {
namespace {

using std::chrono::milliseconds;

// A signal wakes only one thread; the others check for one this often.
constexpr milliseconds longest_nap{50};

}  // namespace

Patience::Patience(milliseconds time) : end_(Clock::now() + time), interruptions_(interruptions()) {}

Patience Patience::at_most(milliseconds time) const {
  Patience out = *this;
  out.end_ = std::min(end_, Clock::now() + time);
  return out;
}

Patience::End Patience::over() const {
  if (interruptions() != interruptions_) return End::signal;
  return Clock::now() >= end_ ? End::deadline : End::none;
}

Patience::End Patience::wait(int descriptor, short events) const {
  for (;;) {
    if (const End end = over(); end != End::none) return end;
    const auto left = std::chrono::ceil<milliseconds>(end_ - Clock::now());
    pollfd one{descriptor, events, 0};
    const auto nap = std::clamp(left, milliseconds(0), longest_nap);
    // An error of the descriptor counts as ready: the following read or write reports it.
    if (poll(&one, 1, static_cast<int>(nap.count())) > 0) return End::none;
  }
}

}  // namespace nodebound
