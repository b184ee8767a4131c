#pragma once

#include <algorithm>
#include <chrono>

#include "harness/endpoint/circumstances.h"
#include "harness/endpoint/signals.h"

namespace nodebound {

/// Asks, and asks again while the target may still come to another answer: until `patience`, which is given each
/// answer, has passed since the first question. A target that learns of writes with a delay is waited for here alone.
template <typename Ask, typename Patience>
auto ask_until_final(const Ask& ask, const Patience& patience, Circumstances& circumstances = real_circumstances())
    -> decltype(ask()) {
  using std::chrono::milliseconds;
  constexpr milliseconds longest_pause(100);
  const auto started = std::chrono::steady_clock::now();
  for (milliseconds pause(1);; pause = std::min(pause * 2, longest_pause)) {
    auto answer = ask();
    const milliseconds time = patience(answer);
    if (time <= milliseconds(0)) return answer;
    const bool over = interrupted() || std::chrono::steady_clock::now() - started >= time;
    if (circumstances.decide(over)) return answer;
    circumstances.pause(pause);
  }
}

}  // namespace nodebound
