#include "harness/endpoint/circumstances.h"

#include <thread>

namespace nodebound {

void Circumstances::pause(std::chrono::milliseconds time) {
  std::this_thread::sleep_for(time);
}

Circumstances& real_circumstances() {
  static Circumstances real;
  return real;
}

}  // namespace nodebound
