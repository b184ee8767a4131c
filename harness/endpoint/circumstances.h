#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <thread>

#include "reference/result.h"

namespace nodebound {

/// What a scenario takes from elsewhere than its file and the target's answers. While a run is recorded, it is noted; a
/// replay takes what was noted, so that it asks the same questions in the same order, and waits for nothing.
class Circumstances {
 public:
  virtual ~Circumstances() = default;

  /// Something that the clock or another scenario decides: `now` is what they say.
  virtual bool decide(bool now) { return now; }

  /// Makes something new, like a certificate request with a key of its own.
  virtual Result<std::string> draw(const std::function<Result<std::string>()>& make) { return make(); }

  /// Lets time pass before the next request.
  virtual void pause(std::chrono::milliseconds time) { std::this_thread::sleep_for(time); }
};

/// Those of a run that is neither recorded nor replayed.
inline Circumstances& real_circumstances() {
  static Circumstances real;
  return real;
}

}  // namespace nodebound
